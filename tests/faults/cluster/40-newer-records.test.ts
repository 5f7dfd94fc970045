import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { computeCode } from '../../../server/features/factors/totp'
import { ClusterHosts } from '../../support/cluster/hosts'
import { noCluster, withCluster } from '../../support/cluster/places'
import { sharedPostgres, type Postgres } from '../../support/cluster/postgres'
import { fromBase32 } from '../../support/factors'
import { aMailServer, linkIn } from '../../support/mail/mail-server'
import { createClient } from '../../support/network/client'
import { anOpenIdProvider, CLIENT, LEA, visitProvider } from '../../support/openid-provider'
import { send } from '../../support/reports'
import { Browser } from '../../support/system/browser'
import { rounds } from '../../support/system/rounds'
import { PASSWORD } from '../../support/world/password'
import { clientAt } from '../../support/world/place'
import { until } from '../../support/world/process'

const ROUNDS = rounds(100, 3)
/** The name of the cluster, at which its balancer would answer. */
const PUBLIC = 'https://builds.example.org'
const PATIENCE_MS = 5000

let postgres: Postgres
beforeAll(async () => {
  if (noCluster === undefined) postgres = await sharedPostgres()
})

/** Three hosts with mail and a provider, and a public project of alice's that takes requests. */
async function aCluster() {
  const mail = await aMailServer()
  const redirect = `${PUBLIC}/login/sso`
  const provider = await anOpenIdProvider({ redirect, logout: `${PUBLIC}/api/auth/sso/logout` })
  onTestFinished(provider.stop)
  const settings = {
    ...mail.settings,
    public_url: PUBLIC,
    sso_issuer: provider.url,
    sso_client_id: CLIENT.id,
    sso_name: 'Example Inc',
    sso_new_accounts: true,
  }
  const hosts = await ClusterHosts.start(
    await postgres.makeDatabase(),
    ['host-a', 'host-b', 'host-c'],
    [],
    { settings, secrets: { ssoClientSecret: CLIENT.secret } },
  )
  onTestFinished(() => hosts.end())
  await hosts.untilAllServe()
  const client = clientAt(hosts.at(await hosts.untilServing()))
  const { project } = await client.projects.create({ title: 'Rocket', is_public: true })
  const id = project.project_id
  await client.accessRequests.configure({ id, is_open: true })
  const { url } = await client.testers.create({ id, name: 'Berlin' })
  return { hosts, mail, provider, id, door: new URL(url).pathname }
}
type Cluster = Awaited<ReturnType<typeof aCluster>>

/** What people did, and a host acknowledged. Each looks for it at a host, and says how often. */
type Kept = (url: string) => Promise<unknown>

/** Each asks one host for one new record, and throws where the host does not acknowledge it. */
const deeds: Record<string, (cluster: Cluster, url: string) => Promise<Kept>> = {
  async report({ door }, url) {
    const key = randomBytes(16).toString('base64url')
    const files = [[`${key}.log`, randomBytes(randomInt(1, 9000))]] as const
    const reply = await send({ fetch: fetchAt(url) }, door, {
      fields: { key },
      files,
      headers: { accept: '*/*' },
    })
    expect(reply.status).toBe(201)
    return async (at) =>
      expect(await (await fetch(`${at}/r/${key}`)).text()).toContain(`${key}.log`)
  },

  async request({ id }, url) {
    const name = randomBytes(8).toString('hex')
    const reply = await post(`${url}/p/${id}/requests`, { name })
    expect(reply.status).toBe(201)
    const page = new URL(((await reply.json()) as { url: string }).url).pathname
    return async (at) => expect(await (await fetch(at + page)).text()).toContain(name)
  },

  async mail({ door, mail }, url) {
    const email = `${randomBytes(8).toString('hex')}@example.org`
    const reply = await post(`${url}${door}/subscribers`, { email })
    expect(reply.status).toBeLessThan(400)
    return async (at) => {
      const got = () => mail.got.filter(({ to }) => to === email)
      await expect.poll(() => got().length, { timeout: 60_000 }).toBeGreaterThan(0)
      expect(new Set(got().map(({ headers }) => headers.get('message-id'))).size).toBe(1)
      expect((await fetch(at + linkIn(got()[0]!, '/n/'))).status).toBe(200)
    }
  },

  async factor(_, url) {
    const username = `p${randomBytes(8).toString('hex')}`
    const person = createClient(url, { fetch: new Browser(url, {}, soon).fetch })
    await person.accounts.register({
      username,
      email: `${username}@example.com`,
      password: PASSWORD,
    })
    await person.accounts.login({ username, password: PASSWORD })
    const { secret, setup } = await person.factors.beginCodes({})
    const code = computeCode(fromBase32(secret), Math.floor(Date.now() / 30_000))
    await person.factors.addCodes({ setup, code })
    return async (at) => {
      const other = createClient(at, { fetch: new Browser(at).fetch })
      await expect(other.accounts.login({ username, password: PASSWORD })).rejects.toMatchObject({
        code: 'factor_needed',
      })
    }
  },

  async signOn({ provider }, url) {
    const sub = `s${randomBytes(8).toString('hex')}`
    const email = `${sub}@example.org`
    provider.state.person = { ...LEA, sub, email, preferred_username: sub }
    const browser = new Browser(url, {}, soon)
    const { singleSignOn, accounts } = createClient(url, { fetch: browser.fetch })
    const begun = await singleSignOn.begin({})
    const { search: query } = await visitProvider(provider, begun.url)
    const { user } = await singleSignOn.finish({ query })
    await accounts.me({})
    const headers = { cookie: browser.cookie }
    return async (at) => {
      const reply = await fetch(`${at}/api/auth/me`, { headers })
      expect(await reply.json()).toMatchObject({ user: { user_id: user.user_id } })
    }
  },
}

const soon: typeof fetch = (to, init) =>
  fetch(to, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
const fetchAt = (url: string) => (to: string, init?: RequestInit) => soon(url + to, init)
const post = (address: string, fields: Record<string, string>) =>
  soon(address, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

describe.skipIf(noCluster)(withCluster('newer records in a cluster'), () => {
  test(
    `40: ${ROUNDS} times kill -9 of a host: each report, request, mail, factor and sign-on that was acknowledged is at each host`,
    { timeout: 120_000 + ROUNDS * 20_000 },
    async () => {
      const cluster = await aCluster()
      const { hosts } = cluster
      const kept: { kind: string; look: Kept }[] = []
      let isOver = false
      const work = Object.entries(deeds).map(async ([kind, deed]) => {
        for (let at = 0; !isOver; at++) {
          const look = await deed(cluster, hosts.urls[at % hosts.urls.length]!).catch(
            () => undefined,
          )
          if (look) kept.push({ kind, look })
          else await pause(100)
        }
      })

      for (let round = 0; round < ROUNDS; round++) {
        const before = kept.length
        await until(() => Promise.resolve(kept.length >= before + 3), 60)
        await pause(randomInt(20, 300))
        const primary = await hosts.untilServing()
        await hosts.host(round % 3 < 2 ? primary : (primary + 1) % hosts.urls.length).kill()
      }
      // The kills may have cut all deeds of a kind so far.
      const countKinds = () => new Set(kept.map(({ kind }) => kind)).size
      await until(() => Promise.resolve(countKinds() === Object.keys(deeds).length), 60)
      isOver = true
      await Promise.all(work)
      await hosts.untilAllServe()

      for (const url of hosts.urls) for (const { look } of kept) await look(url)
      const counts = Map.groupBy(kept, ({ kind }) => kind)
      const words = [...counts].map(([kind, all]) => `${all.length} ${kind}`)
      console.log(`40: ${ROUNDS} kills, none lost of ${words.join(', ')}`)
    },
  )
})
