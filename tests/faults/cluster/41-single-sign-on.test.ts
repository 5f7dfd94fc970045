import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ClusterHosts } from '../../support/cluster/hosts'
import { noCluster, withCluster } from '../../support/cluster/places'
import { sharedPostgres, type Postgres } from '../../support/cluster/postgres'
import { createClient } from '../../support/network/client'
import { refusal } from '../../support/network/reply'
import { anOpenIdProvider, CLIENT, LEA, visitProvider } from '../../support/openid-provider'
import { Browser } from '../../support/system/browser'

/** The name of the cluster, at which its balancer would answer. */
const PUBLIC = 'https://builds.example.org'
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }

let postgres: Postgres
beforeAll(async () => {
  if (noCluster === undefined) postgres = await sharedPostgres()
})

async function aCluster() {
  const redirect = `${PUBLIC}/login/sso`
  const provider = await anOpenIdProvider({ redirect, logout: `${PUBLIC}/api/auth/sso/logout` })
  onTestFinished(provider.stop)
  const settings = {
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
  const primary = await hosts.untilServing()
  const [one = 0, other = 0] = [0, 1, 2].filter((host) => host !== primary)
  return { hosts, provider, primary, one, other }
}

/** A browser whose requests a balancer sends to one host or another. */
function aBrowser({ urls }: ClusterHosts) {
  const browser = new Browser(PUBLIC)
  return (host: number) => {
    const url = urls[host]!
    const fetch = (to: string | URL | Request, { headers, ...init }: RequestInit = {}) =>
      browser.fetch(new URL(to instanceof Request ? to.url : to, url), {
        ...init,
        headers: { ...Object.fromEntries(new Headers(headers)), origin: url },
      })
    return createClient(url, { fetch })
  }
}

describe.skipIf(noCluster)(withCluster('single sign-on in a cluster'), () => {
  test('41: a sign-in that begins at one host ends at another, once, also after the first was killed', async () => {
    const { hosts, provider, primary, one, other } = await aCluster()
    const at = aBrowser(hosts)
    const { url } = await at(one).singleSignOn.begin({})
    const { search: query } = await visitProvider(provider, url)
    await hosts.host(one).kill()
    expect(await at(other).singleSignOn.finish({ query })).toMatchObject({
      did: 'signed_in',
      user: { username: 'lea' },
    })
    expect((await at(primary).accounts.me({})).user.username).toBe('lea')
    for (const host of [primary, other])
      await expect(at(host).singleSignOn.finish({ query })).rejects.toMatchObject(
        refusal('sign_in_expired'),
      )
  })

  test('41: a log-out token at a replica ends the session at each host, and counts once', async () => {
    const { hosts, provider, primary, one, other } = await aCluster()
    const at = aBrowser(hosts)
    const { url } = await at(other).singleSignOn.begin({})
    await at(one).singleSignOn.finish({ query: (await visitProvider(provider, url)).search })

    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: provider.url, aud: CLIENT.id, iat: now, exp: now + 120, jti: 'logout-1' }
    const token = await provider.sign({ ...claims, sub: LEA.sub, events: EVENTS }, 'logout+jwt')
    const logOut = async (host: number) => {
      const body = new URLSearchParams({ logout_token: token })
      const reply = await fetch(`${hosts.urls[host]}/api/auth/sso/logout`, { method: 'POST', body })
      return reply.status
    }
    expect(await logOut(one)).toBe(200)
    for (const host of [other, one, primary])
      await expect(at(host).accounts.me({})).rejects.toMatchObject(refusal('sign_in_required'))
    expect(await logOut(other)).toBe(400)
  })
})
