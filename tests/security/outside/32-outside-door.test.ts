import { hostname } from 'node:os'
import { describe, expect } from 'vitest'
import { endpointOf, type Call } from '../../support/calls'
import { aUser } from '../../support/world/factories'
import {
  aTunnel,
  askingAt,
  AWAY,
  NUMBER,
  openOutside,
  statusAt,
} from '../../support/network/outside'
import { json, problem, replyOf } from '../../support/network/reply'
import { PASSWORD } from '../../support/world/password'
import { test } from '../../support/world/http'
import { statusOf, type Fetch } from '../../support/access/ask'
import {
  actorNames,
  everybody,
  somePeople,
  thingsOf,
  type ActorName,
} from '../../support/access/alices-world'
import { inputs } from '../../support/access/inputs'

/** The cost of a hash has no effect on permissions. */

/** One row per call: the statuses of all actors over HTTPS, in the order of `actorNames`. */
const TABLE = `
host.about            200 200 200 200 200 200 200 200 200 200 401 401 200 401
host.ping             200 200 200 200 200 200 200 200 200 200 401 401 200 401
host.health           200 200 200 200 200 200 200 200 200 200 401 401 200 401
host.addresses        404 404 404 404 404 404 404 404 404 404 404 404 404 404
host.phoneTest        404 404 404 404 404 404 404 404 404 404 404 404 404 404
settings.show         404 404 404 404 404 404 404 404 404 404 404 404 404 404
people.list           404 404 404 404 404 404 404 404 404 404 404 404 404 404
manage.begin          404 404 404 404 404 404 404 404 404 404 404 404 404 404
invites.create        404 404 404 404 404 404 404 404 404 404 404 404 404 404
mirror.setUp         404 404 404 404 404 404 404 404 404 404 404 404 404 404
activity.events       404 404 404 404 404 404 404 404 404 404 404 404 404 404
accounts.check        200 200 200 200 200 200 200 200 200 200 401 401 200 401
accounts.me           401 200 200 200 200 200 401 401 401 200 401 401 401 401
projects.byId         200 200 200 200 200 200 200 200 200 200 401 401 200 401
files.info            200 200 200 200 200 200 200 200 200 200 401 401 200 401
files.downloadPublic  200 200 200 200 200 200 200 200 200 200 401 401 200 401
projects.downloadAll  200 200 200 200 200 200 200 200 200 200 401 401 200 401
releases.latestFile   302 302 302 302 302 302 302 302 302 302 401 401 302 401
testers.latestPage    404 404 404 404 404 404 404 404 404 404 401 401 404 401
install.manifest      404 404 404 404 404 404 404 404 404 404 401 401 404 401
files.mine            401 200 200 200 200 200 200 200 403 200 401 401 401 401
files.upload          401 403 403 201 403 201 201 403 403 403 401 401 401 401
uploads.create        401 403 403 201 403 201 201 403 403 403 401 401 401 401
uploads.protocol      204 204 204 204 204 204 204 204 204 204 401 401 204 401
projects.update       401 403 403 403 403 200 200 403 403 403 401 401 401 401
testers.list          401 403 200 200 403 200 200 200 403 403 401 401 401 401
apiKeys.create        401 201 201 201 201 201 401 401 401 201 401 401 401 401
localFiles.publish    404 404 404 404 404 404 404 404 404 404 401 401 404 401
watches.add           404 404 404 404 404 404 404 404 404 404 401 401 404 401
pairings.start        201 201 201 201 201 201 201 201 201 201 401 401 201 401
pairings.answer       401 404 404 404 404 404 401 401 401 404 401 401 401 401
invites.look          403 403 403 403 403 403 403 403 403 403 401 401 403 401
trash.list            401 200 200 200 200 200 200 200 403 200 401 401 401 401
accounts.register     201 201 201 201 201 201 201 201 201 201 401 401 201 401
accounts.login        200 200 200 200 200 200 200 200 200 200 401 401 200 401
`
  .trim()
  .split('\n')

/**
 * Over HTTP a visitor may read as over HTTPS, and nobody else may do anything; what the door never
 * has is missing.
 */
function overHttp(call: string, overHttps: string[]): string[] {
  const isMissing = overHttps.every((status) => status === '404')
  const visitor = endpointOf(call as Call).method === 'GET' ? overHttps[0] : '403'
  return overHttps.map((_, index) => (isMissing ? '404' : index === 0 ? (visitor ?? '') : '403'))
}

/** Each caller makes these with a new session, since they start another one. */
const SIGNS_IN: readonly string[] = ['accounts.register', 'accounts.login']

test(
  'the table of calls × actors through the door, over HTTPS and HTTP',
  { timeout: 60_000 },
  async ({ server }) => {
    const outside = await openOutside(server)
    let over: 'http' | 'https' = 'https'
    const away = server.through(outside.origin, (to, init) => outside[over](to, init))
    const people = await somePeople(server)
    const things = await thingsOf(server, people, true)
    const come = await everybody(away, people)
    const known = new Map<ActorName, Fetch>()
    for (const actor of actorNames) known.set(actor, await come(actor))
    const fetchOf = async (actor: ActorName, call: string) => {
      over = 'https'
      return (SIGNS_IN.includes(call) ? undefined : known.get(actor)) ?? (await come(actor))
    }
    for (const line of TABLE) {
      const [call = '', ...overHttps] = line.split(/ +/)
      for (const protocol of ['https', 'http'] as const) {
        const statuses: string[] = []
        for (const [index, actor] of actorNames.entries()) {
          const input = inputs[call as Call]({ things, people, by: `${protocol}-${index}` })
          const fetch = await fetchOf(actor, call)
          over = protocol
          statuses.push(String(await statusOf(fetch, call as Call, input)))
        }
        const expected = protocol === 'https' ? overHttps : overHttp(call, overHttps)
        expect.soft([call, protocol, ...statuses]).toEqual([call, protocol, ...expected])
      }
    }
  },
)

describe('the person at the computer', () => {
  const someone = { username: 'someone', email: 'someone@example.com', password: PASSWORD }

  test('is not made by a setup link from outside', async ({ server }) => {
    const { https } = await openOutside(server)
    const setup = new URL(server.setupUrl() ?? '').searchParams.get('setup')

    const reply = await replyOf(
      https(`${AWAY}/api/auth/register`, json('POST', { ...someone, setup })),
    )
    expect(reply).toEqual(problem('setup_link_invalid'))
    expect(
      (await server.fetch('/api/auth/register', json('POST', { ...someone, setup }))).status,
    ).toBe(201)
  })

  test('is not proved by the secret of the window', async ({ server }) => {
    const outside = await openOutside(server)
    const host = await aUser(server, 'host', { isHost: true })
    const { client, browser } = await server.through(outside.origin, outside.https).atWindow(host)

    expect(await client.accounts.me({})).toMatchObject({ manages_host: false })
    for (const path of [
      'people',
      'settings',
      'manage-sessions',
      'events',
      'activity',
      'addresses',
      '',
      'ping/x',
    ])
      expect([path, (await browser.fetch(`/api/host/${path}`)).status]).toEqual([path, 404])
    expect((await replyOf(browser.fetch('/api/host'))).body).toMatchObject({
      host: { share_url: outside.origin },
    })
    await server.inside.settings.update({ registration_open: false })
    await expect(client.accounts.register(someone)).rejects.toMatchObject({
      code: 'registration_closed',
    })
  })

  test('is not proved by a session that manages the host at home', async ({ server }) => {
    const outside = await openOutside(server)
    const { client, browser } = await server.signedIn(await aUser(server, 'host', { isHost: true }))
    const { manageLinks } = server.inside
    await client.manage.begin({ link: manageLinks.make() })
    expect(await client.accounts.me({})).toMatchObject({ manages_host: true })

    const headers = { cookie: browser.cookie }
    const { body } = await replyOf(outside.https(`${AWAY}/api/auth/me`, { headers }))
    expect(body).toMatchObject({ manages_host: false })
    const link = json('POST', { link: manageLinks.make() }, headers)
    expect((await outside.https(`${AWAY}/api/host/manage`, link)).status).toBe(404)
  })
})

describe('forged headers', () => {
  const trusting = test.extend({
    config: { trustProxy: ['127.0.0.1', '198.51.100.4'], publicUrl: 'https://builds.example' },
  })

  trusting(
    'another Host than the public one is refused, at the door and through a tunnel',
    async ({ server }) => {
      const { port } = await openOutside(server)
      const local = [
        'localhost',
        '127.0.0.1',
        '[::1]',
        '192.168.1.7',
        hostname(),
        `${hostname()}.local`,
      ]
      const hosts = [
        ...local.flatMap((name) => [name, `${name}:${server.port}`, `${name}:${port}`]),
        'builds.example',
      ]
      const wrong = [
        ...hosts,
        `${NUMBER}:8443`,
        `${NUMBER}.`,
        `${NUMBER},localhost`,
        `x@${NUMBER}`,
        '',
        '203.0.113.07',
      ]
      const forwarded = { 'X-Forwarded-Host': NUMBER, Forwarded: `host=${NUMBER};proto=https` }
      for (const at of [port, await aTunnel(server, '198.51.100.4')]) {
        for (const Host of wrong)
          expect([Host, await statusAt(at, { Host, ...forwarded })]).toEqual([Host, 421])
        for (const Host of [NUMBER, `${NUMBER}:443`])
          expect([Host, await statusAt(at, { Host })]).toEqual([Host, 200])
      }
    },
  )

  test('the main door does not answer to the public name; without one no door does', async ({
    server,
  }) => {
    const { port } = await openOutside(server)
    expect(await statusAt(server.port, { Host: NUMBER })).toBe(421)
    server.inside.setPublicOrigin(null)
    for (const Host of [NUMBER, 'localhost', `127.0.0.1:${server.port}`])
      expect(await statusAt(port, { Host })).toBe(421)
  })

  trusting(
    'no header says who the visitor is, or that the connection is encrypted',
    async ({ server }) => {
      const outside = await openOutside(server)
      const host = await aUser(server, 'host', { isHost: true })
      const tunnel = askingAt(await aTunnel(server, '198.51.100.4'), outside.ca)
      const headers = {
        'X-Forwarded-For': '192.0.2.77',
        'X-Forwarded-Proto': 'https',
        'X-Real-IP': '192.0.2.77',
        Forwarded: 'for=192.0.2.77;proto=https',
      }
      for (const { https, http } of [outside, tunnel]) {
        const attempt = json('POST', { username: 'host', password: 'wrong' }, headers)
        expect((await https(`${AWAY}/api/auth/login`, attempt)).status).toBe(401)
        expect(await replyOf(http(`${AWAY}/api/auth/login`, attempt))).toEqual(
          problem('https_required'),
        )
      }
      const { events } = await (await server.atWindow(host)).client.audit.list({})
      const failed = events
        .filter(({ kind }) => kind === 'sign_in_failed')
        .map(({ address }) => address)
      expect(failed.sort()).toEqual(['127.0.0.1', '198.51.100.4'])
    },
  )

  trusting('a page of the public URL is another site for the public origin', async ({ server }) => {
    const { https, origin } = await openOutside(server)
    const login = (from: string) =>
      https(
        `${AWAY}/api/auth/login`,
        json('POST', { username: 'x', password: 'y' }, { origin: from }),
      )

    expect(await replyOf(login('https://builds.example'))).toEqual(problem('foreign_origin'))
    expect(await replyOf(login(`http://${NUMBER}`))).toEqual(problem('foreign_origin'))
    expect(await replyOf(login(origin))).toEqual(problem('bad_credentials'))
  })
})

const atHome = test.extend({ settings: { https: 'local' } })
atHome('what devices at home need to trust the host is not shown outside', async ({ server }) => {
  const outside = await openOutside(server)
  for (const path of ['/trust', '/ca.crt']) {
    expect((await server.fetch(path)).status).toBe(200)
    expect([path, (await outside.https(AWAY + path)).status]).toEqual([path, 404])
  }
})
