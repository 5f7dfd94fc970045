import { describe, expect } from 'vitest'
import type { AuditEvent } from '../../../server/contract'
import { aUser } from '../../support/world/factories'
import { PASSWORD } from '../../support/world/password'
import { json, problem, refusal, replyOf } from '../../support/network/reply'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { MINUTE } from '../../support/world/test-clock'

const HOUR = 60 * MINUTE

const test = base.extend<{ owner: Awaited<ReturnType<TestServer['signedIn']>> }>({
  owner: async ({ server }, use) =>
    use(await server.signedIn(await aUser(server, 'owner', { isHost: true }))),
})
/** The token of a link as `slipway manage` prints it. */
const aLink = ({ inside }: TestServer) => inside.manageLinks.make()
const managing = async ({
  client,
}: {
  client: Awaited<ReturnType<TestServer['signedIn']>>['client']
}) => (await client.accounts.me({})).manages_host

describe('manage.begin', () => {
  test('lets one session of the host account do what the window may', async ({ server, owner }) => {
    const { client } = owner
    await expect(client.people.list({})).rejects.toMatchObject(refusal('not_found'))
    expect(await managing(owner)).toBe(false)

    const before = owner.browser.cookie
    await client.manage.begin({ link: aLink(server) })
    expect(await managing(owner)).toBe(true)
    // Others may have read it on a plain connection.
    expect((await server.fetch('/api/auth/me', { headers: { cookie: before } })).status).toBe(401)
    expect((await client.people.list({})).people.map(({ username }) => username)).toEqual(['owner'])
    expect(
      (await client.settings.change({ registration_open: false })).settings.registration_open,
    ).toBe(false)

    const other = await server.signedIn(server.user('owner'))
    await expect(other.client.people.list({})).rejects.toMatchObject(refusal('not_found'))
  })

  test('opens nothing that belongs to the window itself', async ({ server, owner }) => {
    await owner.client.manage.begin({ link: aLink(server) })
    await expect(
      owner.client.localFiles.publish({ offer_id: 'z'.repeat(32) }),
    ).rejects.toMatchObject(refusal('not_found'))
    await server.inside.settings.update({ registration_open: false })
    const account = { username: 'bob', email: 'bob@example.com', password: 'secret' }
    await expect(owner.client.accounts.register(account)).rejects.toMatchObject(
      refusal('registration_closed'),
    )
  })

  test('works once, for 15 minutes, and only as it was made', async ({ server, owner, clock }) => {
    const { client } = owner
    const old = aLink(server)
    clock.advance(15 * MINUTE)
    const link = aLink(server)
    for (const wrong of [old, 'A'.repeat(22), `${link}A`, link.toUpperCase()])
      await expect(client.manage.begin({ link: wrong })).rejects.toMatchObject(
        refusal('manage_link_invalid'),
      )
    expect(await managing(owner)).toBe(false)

    const others = await Promise.all([1, 2, 3].map(() => server.signedIn(server.user('owner'))))
    const replies = await Promise.all(
      others.map(({ browser }) => browser.fetch('/api/host/manage', json('POST', { link }))),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  })

  test('is for the host account, not used up by others', async ({
    server,
    owner,
    alice,
    signedIn: { browser },
  }) => {
    const link = aLink(server)
    const asked = json('POST', { link })

    expect(await replyOf(server.fetch('/api/host/manage', asked))).toEqual(
      problem('sign_in_required'),
    )
    expect(await replyOf(server.fetchAs(alice)('/api/host/manage', asked))).toEqual(
      problem('sign_in_required'),
    )
    expect(await replyOf(browser.fetch('/api/host/manage', asked))).toEqual(problem('forbidden'))
    await owner.client.manage.begin({ link })
  })
})

describe('manage.list, manage.end', () => {
  test('is listed, and can be ended while its person is signed in', async ({ server, owner }) => {
    const window = await server.atWindow(server.user('owner'))
    await owner.browser.fetch(
      '/api/host/manage',
      json(
        'POST',
        { link: aLink(server) },
        { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' },
      ),
    )
    const { sessions } = await window.client.manage.list({})
    expect(sessions).toEqual([
      {
        ...{ manage_id: expect.any(String) as string, address: '127.0.0.1', current: false },
        browser: 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
        ...{
          since: server.clock.now().toISOString(),
          until: new Date(server.clock.now().getTime() + 12 * HOUR).toISOString(),
        },
      },
    ])
    expect((await owner.client.manage.list({})).sessions[0]?.current).toBe(true)
    const events = await owner.browser.fetch('/api/host/events')

    await window.client.manage.end({ id: sessions[0]?.manage_id ?? '' })
    expect(await managing(owner)).toBe(false)
    await expect(owner.client.people.list({})).rejects.toMatchObject(refusal('not_found'))
    expect((await window.client.manage.list({})).sessions).toEqual([])
    // The stream of the host page ends with the next thing that it would tell.
    server.inside.activity.changed()
    expect(await events.text()).toContain('event: activity')
  })

  test('ends after 12 hours', async ({ server, owner, clock }) => {
    await owner.client.manage.begin({ link: aLink(server) })
    clock.advance(12 * HOUR - MINUTE)
    expect(await managing(owner)).toBe(true)
    clock.advance(MINUTE)

    expect(await managing(owner)).toBe(false)
  })

  test('ends with sign-out, and with a change of password', async ({ server, owner }) => {
    const user = server.user('owner')
    const second = await server.signedIn(user)
    for (const { client } of [owner, second]) await client.manage.begin({ link: aLink(server) })
    await second.client.accounts.logout({})
    expect(server.inside.sessions.managing()).toHaveLength(1)

    await owner.client.accounts.changePassword({
      current_password: PASSWORD,
      new_password: 'another horse',
    })
    expect(await managing(owner)).toBe(false)
    expect(server.inside.sessions.managing()).toEqual([])
  })

  test('is in the audit log, and the library keeps no token', async ({ server, owner }) => {
    const link = aLink(server)
    await owner.client.manage.begin({ link })
    const { sessions } = await owner.client.manage.list({})
    const { events } = await owner.client.audit.list({})
    expect(events.map(({ kind, via }: AuditEvent) => [kind, via])).toEqual([
      ['manage_begin', 'browser'],
      ['sign_in', 'browser'],
    ])
    await owner.client.manage.end({ id: sessions[0]?.manage_id ?? '' })

    expect(
      JSON.stringify([...server.inside.library.collection('sessions').values()]),
    ).not.toContain(link)
  })
})

const forwarded = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'builds.example' }
const https = { ...forwarded, 'x-forwarded-proto': 'https', origin: 'https://builds.example' }
const http = { ...forwarded, 'x-forwarded-proto': 'http', origin: 'http://builds.example' }

describe('behind a trusted proxy on this computer', () => {
  const proxied = test.extend({ config: { trustProxy: ['127.0.0.1'] } })

  proxied(
    'managing takes HTTPS at the proxy: its loopback address proves nothing',
    async ({ server, owner }) => {
      const { browser } = owner
      const link = aLink(server)
      const begin = (headers: Record<string, string>) =>
        replyOf(browser.fetch('/api/host/manage', json('POST', { link }, headers)))
      const people = async (headers: Record<string, string>) =>
        (await browser.fetch('/api/host/people', { headers })).status

      expect(await begin({})).toEqual(problem('forbidden'))
      expect(await begin(http)).toEqual(problem('forbidden'))
      expect(await begin(https)).toMatchObject({ status: 200 })
      expect([await people({}), await people(http), await people(https)]).toEqual([404, 404, 200])
    },
  )
})
