import { randomInt } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { askHost } from '../../../server/cli/ask-host'
import { readClusterStatus } from '../../../server/cluster/cluster-status'
import { createClient } from '../../support/network/client'
import { ClusterHosts } from '../../support/cluster/hosts'
import { FROM_HEADER, startBalancer } from '../../support/cluster/haproxy'
import { noCluster, withCluster } from '../../support/cluster/places'
import { sharedPostgres, type Postgres } from '../../support/cluster/postgres'
import { Browser } from '../../support/system/browser'
import { PASSWORD } from '../../support/world/password'
import { until } from '../../support/world/process'
import { upload } from '../../support/world/upload'
import { clientAt, fetchAt, register, type Place } from '../../support/world/place'
import { rounds } from '../../support/system/rounds'

const ROUNDS = rounds(1000, 18)
const KILLS = rounds(20, 3)
const CLIENTS = 6
/** Larger than the buffers on the way. */
const LARGE = 48 * 1024 * 1024
const NAMES = ['host-a', 'host-b', 'host-c']

let postgres: Postgres
let database: string
/** Three hosts that all answer. */
let hosts: ClusterHosts
beforeAll(async () => {
  if (noCluster !== undefined) return
  postgres = await sharedPostgres()
  database = await postgres.makeDatabase()
  const line = { also: ['--trust-proxy', '127.0.0.1'] }
  hosts = await ClusterHosts.start(database, NAMES, [line, line, line])
  await hosts.untilAllServe()
  const { projects, accessRequests } = clientAt(hosts.at(0))
  const { project } = await projects.create({ title: 'Rocket', is_public: true })
  await accessRequests.configure({ id: project.project_id, is_open: true })
})
afterAll(async () => {
  if (noCluster === undefined) await hosts.end()
})

/** Two different hosts. */
function twoOf(): [number, number] {
  const one = randomInt(NAMES.length)
  return [one, (one + randomInt(1, hosts.urls.length)) % hosts.urls.length]
}

async function signIn(url: string) {
  const browser = new Browser(url)
  const client = createClient(url, { fetch: browser.fetch })
  await client.accounts.login({ username: 'alice', password: PASSWORD })
  return { client, browser }
}

/**
 * Each withdraws something at one host, and returns what the other one answers before and after.
 */
const withdrawals = {
  async session(one: number, other: number) {
    const { client, browser } = await signIn(hosts.urls[one]!)
    const headers = { cookie: browser.cookie }
    const ask = async () => (await fetch(`${hosts.urls[other]}/api/auth/me`, { headers })).status
    const before = await ask()
    await client.accounts.logout({})
    return [before, await ask()]
  },
  async key(one: number, other: number) {
    const { client } = await signIn(hosts.urls[one]!)
    const { api_key: key, key: made } = await client.apiKeys.create({ name: 'for a moment' })
    const ask = async () =>
      (await fetch(`${hosts.urls[other]}/api/files/my-files`, { headers: { 'x-api-key': key } }))
        .status
    const before = await ask()
    await client.apiKeys.revoke({ id: made.key_id })
    const after = await ask()
    await client.apiKeys.remove({ id: made.key_id })
    return [before, after]
  },
  async file(one: number, other: number) {
    const place = hosts.at(one)
    const { file_id: id } = await upload(fetchAt(place), new File(['build'], 'app.bin'), {
      is_public: 'true',
    })
    const ask = async () => (await fetch(`${hosts.urls[other]}/api/files/${id}/download`)).status
    const before = await ask()
    await clientAt(place).files.setVisibility({ id, is_public: false })
    const after = await ask()
    await clientAt(place).files.remove({ id })
    return [before, after]
  },
  async request(one: number, other: number) {
    const page = await askForAccess(one)
    const ask = async () => (await fetch(hosts.urls[other] + page)).status
    const before = await ask()
    await fetch(`${hosts.urls[one]}${page}/withdraw`, { method: 'POST', redirect: 'manual' })
    return [before, await ask()]
  },
}
const expected = {
  session: [200, 401],
  key: [200, 401],
  file: [200, 404],
  request: [200, 404],
} as const

/** Asks for access to Rocket, and returns the path of the private page. */
async function askForAccess(host: number): Promise<string> {
  const reply = await fetch(`${hosts.urls[host]}/p/rocket/requests`, { method: 'POST' })
  return new URL(((await reply.json()) as { url: string }).url).pathname
}

describe.skipIf(noCluster)(withCluster('hosts that read'), () => {
  test(
    `41: what is withdrawn at one host is refused by the next request at another, ${ROUNDS} of ${ROUNDS}`,
    { timeout: 60_000 + ROUNDS * 1000 },
    async () => {
      const kinds = Object.keys(withdrawals) as (keyof typeof withdrawals)[]
      let refused = 0
      for (let round = 0; round < ROUNDS; round++) {
        const kind = kinds[round % kinds.length]!
        const [one, other] = twoOf()
        expect(await withdrawals[kind](one, other), `${kind} at ${one}, asked at ${other}`).toEqual(
          expected[kind],
        )
        refused++
      }
      console.log(`41: ${refused} of ${ROUNDS} refused by the next request at another host`)
    },
  )

  test('41: a request for access that one host gets is approved at another, and opens the page at the third', async () => {
    const [one, two, three] = [0, 1, 2].map((host) => hosts.at(host)) as [Place, Place, Place]
    const page = await askForAccess(0)
    const shown = async ({ url }: Place) =>
      (await (await fetch(url + page)).text()).includes('For testers')
    expect(await shown(three)).toBe(false)
    const { projects, accessRequests } = clientAt(two)
    const { project_id: id } = (await projects.byId({ id: 'rocket' })).project
    const [request] = (await accessRequests.list({ id, state: 'waiting' })).access_requests
    await accessRequests.approve({ id, request_ids: [request?.request_id ?? ''] })
    for (const host of [three, one, two]) expect(await shown(host)).toBe(true)
  })

  test('41: an account that is deleted at one host signs in at no other, until another restores it', async () => {
    const primary = await hosts.untilServing()
    const one = (primary + 1) % NAMES.length
    const other = (primary + 2) % NAMES.length
    const zed = await register({ url: hosts.urls[one]! }, 'zebedee')
    const { file_request } = await clientAt(zed).fileRequests.create({ name: 'Saves' })
    const inbox = hosts.urls[other]! + new URL(file_request.url ?? '').pathname
    const send = async () => {
      const body = new FormData()
      body.set('from', 'Kim')
      body.set('file', new Blob(['save']), 'a.sav')
      return (await fetch(`${inbox}/files`, { method: 'POST', body, redirect: 'manual' })).status
    }
    expect(await send()).toBe(302)
    const browser = new Browser(hosts.urls[one]!)
    const client = createClient(hosts.urls[one]!, { fetch: browser.fetch })
    const login = async (at: number) => {
      const body = JSON.stringify({ username: 'zebedee', password: PASSWORD })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`${hosts.urls[at]}/api/auth/login`, { method: 'POST', headers, body }))
        .status
    }
    const admin = { name: 'zebedee' }
    const primaryFolder = hosts.folder(NAMES[primary]!)

    for (const end of ['people.restore', 'people.erase'] as const) {
      await client.accounts.login({ username: 'zebedee', password: PASSWORD })
      await client.accounts.remove({ current_password: PASSWORD })
      expect([await login(other), await login(primary), await send()]).toEqual([401, 401, 404])
      const { cookie } = browser
      const me = await fetch(`${hosts.urls[other]}/api/auth/me`, { headers: { cookie } })
      expect(me.status).toBe(401)

      await askHost(primaryFolder, end, admin)
      expect([await login(other), await login(one)]).toEqual(
        end === 'people.restore' ? [200, 200] : [401, 401],
      )
    }
    const rows = await postgres.query(
      database,
      `select kind from slipway.record where value::text ~ 'zebedee|a[.]sav'`,
    )
    expect(rows).toEqual([])
  })

  test('41: a download that runs at a replica ends when the file becomes private at the primary', async () => {
    const primary = NAMES.indexOf((await readClusterStatus(database)).primary ?? '')
    const replica = (primary + 1) % NAMES.length
    const file = new File([new Uint8Array(LARGE)], 'app.bin')
    const { file_id: id } = await upload(fetchAt(hosts.at(primary)), file, { is_public: 'true' })
    const response = await new Promise<IncomingMessage>((resolve) =>
      get(`${hosts.urls[replica]}/api/files/${id}/download`, resolve).on('error', () => undefined),
    )
    const ended = new Promise<boolean>((resolve) =>
      response.once('close', () => resolve(response.complete)),
    )
    response.on('error', () => undefined)
    // Slower than the file is long.
    response.on('data', () => {
      response.pause()
      setTimeout(() => response.resume(), 50)
    })
    await clientAt(hosts.at(primary)).files.setVisibility({ id, is_public: false })
    expect(await ended).toBe(false)
  })

  test(
    `41: kill -9 of a host under load behind HAProxy, ${KILLS} times: only what ran there fails, and changes find the primary`,
    { timeout: 60_000 + KILLS * 20_000 },
    async () => {
      const balancer = await startBalancer(
        hosts.urls.map((url) => Number(new URL(url).port)),
        { forwards: true, findsPrimary: true },
      )
      onTestFinished(() => balancer.close())
      const place = { ...hosts.place, url: balancer.url }
      const { project } = await clientAt(place).projects.create({ title: 'Rocket' })
      const load = new Load(place, project.project_id)
      for (let kill = 0; kill < KILLS; kill++) {
        const primary = await load.untilAtPrimary()
        await hosts
          .host(kill % 3 === 2 ? primary : (primary + 1 + (kill % 2)) % NAMES.length)
          .kill()
        await load.untilMore()
        await hosts.untilAllServe()
      }
      const primary = await load.untilAtPrimary()
      await load.end()
      // The host that becomes the primary closes its connections, too.
      expect(load.failed).toBeLessThanOrEqual((KILLS + Math.floor(KILLS / 3)) * CLIENTS)
      expect(load.posted.size).toBeGreaterThan(0)
      expect(await lostOf(load.posted)).toEqual([])
      const roles = async () => (await readClusterStatus(database)).hosts.map(({ role }) => role)
      // A host tells what it has become within 2 s.
      await expect
        .poll(roles)
        .toEqual(NAMES.map((_, index) => (index === primary ? 'primary' : 'replica')))
      console.log(
        `41: ${KILLS} hosts killed, ${load.done} requests answered, ${load.failed} failed`,
      )
    },
  )
})

async function lostOf(posted: ReadonlySet<string>): Promise<string[]> {
  const rows = await postgres.query(
    database,
    `select id from slipway.record where kind = 'posts' and value is not null`,
  )
  const kept = new Set(rows.map(({ id }) => id))
  return [...posted].filter((id) => !kept.has(id))
}

/** Clients that read and post, one request after another. */
class Load {
  done = 0
  /** Requests without the reply that they should get. */
  failed = 0
  /** Posts that were acknowledged. */
  readonly posted = new Set<string>()
  /** The backend and the host that took the last one. */
  #from: string | null = null
  #isOver = false
  readonly #clients: Promise<void>[]

  constructor(place: Parameters<typeof clientAt>[0], projectId: string) {
    const read = async () => {
      const reply = await fetchAt(place)(`/api/projects/${projectId}`)
      await reply.text()
      if (reply.status !== 200) throw new Error(`${reply.status}`)
    }
    const post = async () => {
      const note = async (...request: Parameters<typeof fetch>) => {
        const reply = await fetchAt(place)(...request)
        this.#from = reply.headers.get(FROM_HEADER)
        return reply
      }
      const { post } = await createClient(place.url, { fetch: note }).posts.add({
        id: projectId,
        content: 'news',
      })
      this.posted.add(post.post_id)
    }
    this.#clients = Array.from({ length: CLIENTS }, (_, index) =>
      this.#run(index % 3 === 0 ? post : read),
    )
  }

  /** Resolves once each client has had more replies. */
  async untilMore(): Promise<void> {
    const before = this.done
    await until(() => Promise.resolve(this.done >= before + 20 * CLIENTS))
  }

  /**
   * Resolves with the primary, as `/api/health?primary` tells it, once changes go straight to it.
   */
  async untilAtPrimary(): Promise<number> {
    const found: number[] = []
    await until(async () => {
      const looks = hosts.urls.map((url) =>
        fetch(`${url}/api/health?primary`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      const primary = (await Promise.all(looks)).indexOf(200)
      found.unshift(primary)
      await this.untilMore()
      return this.#from === `primary/${NAMES[primary]}`
    })
    return found[0]!
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
  }

  async #run(ask: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await ask().then(
        () => this.done++,
        () => this.failed++,
      )
    }
  }
}
