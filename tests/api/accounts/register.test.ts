import { describe, expect } from 'vitest'
import { WINDOW_HEADER } from '../../../server/contract/host/desktop'
import { setupTokenOf } from '../../../scripts/seed/setup-link'
import { aUser } from '../../support/world/factories'
import { json, problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import { WINDOW_SECRET, type TestServer } from '../../support/world/test-server'

const valid = { username: 'alice', email: 'alice@example.com', password: 'a ship of my own' }
const atWindow = { [WINDOW_HEADER]: WINDOW_SECRET }

const register = (server: TestServer, fields: object = {}, headers: Record<string, string> = {}) =>
  replyOf(server.fetch('/api/auth/register', json('POST', { ...valid, ...fields }, headers)))

const limited = test.extend({
  config: { rateLimits: true },
  settings: { registrations_per_hour: 1 },
})

describe('accounts.register', () => {
  test('makes an account and says so', async ({ server }) => {
    expect(await register(server)).toEqual({
      status: 201,
      body: {
        success: true,
        message: 'Registration successful! Please log in.',
        user: {
          user_id: expect.stringMatching(/^[\w-]{16}$/),
          username: 'alice',
          email: 'alice@example.com',
          tier_name: 'Free',
          is_host: false,
          created_at: '2030-01-02T03:04:05.000Z',
        },
      },
    })
  })

  test('explains the password rule in the words of the form', async ({ server }) => {
    expect(await register(server, { password: 'secre' })).toMatchObject({
      body: { error: 'Password must be at least 6 characters' },
    })
  })

  test('refuses a username that differs only in case', async ({ server }) => {
    await aUser(server, 'Alice', { email: 'other@example.com' })

    expect(await register(server)).toEqual(problem('taken', 'username'))
  })

  test('refuses an email that differs only in case', async ({ server }) => {
    await aUser(server, 'bob', { email: 'ALICE@example.com' })

    expect(await register(server)).toEqual(problem('taken', 'email'))
  })

  test('two registrations of one name at the same moment make one account', async ({ server }) => {
    const both = await Promise.all([
      register(server),
      register(server, { email: 'other@example.com' }),
    ])

    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test('stays open in the app window when it is closed, and nowhere else on this computer', async ({
    server,
  }) => {
    await server.inside.settings.update({ registration_open: false })

    const fields = { username: 'bob', email: 'bob@example.com' }
    expect(await register(server, fields, { [WINDOW_HEADER]: 'a guess' })).toEqual(
      problem('registration_closed'),
    )
    expect(await register(server, fields, { host: `localhost:${server.port}` })).toEqual(
      problem('registration_closed'),
    )
    expect(await register(server, {}, atWindow)).toMatchObject({ status: 201 })
  })
})

const asHost = { body: { user: { is_host: true, tier_name: 'Enterprise' } } }
const asAnyone = { status: 201, body: { user: { is_host: false, tier_name: 'Free' } } }
/** The token of a new setup link. */
const setupOf = (server: TestServer) => setupTokenOf(server.setupUrl() ?? server.url)
const others = ['bob', 'carol', 'dave', 'erin'].map((username) => ({
  username,
  email: `${username}@example.com`,
}))

describe('the host account', () => {
  test('is registered in the app window, once', async ({ server }) => {
    expect(await register(server, {}, atWindow)).toMatchObject(asHost)
    expect(await register(server, others[0], atWindow)).toMatchObject(asAnyone)
  })

  test('never comes from a loopback address, also as the first account', async ({ server }) => {
    for (const [index, host] of ['localhost', '127.0.0.1', '[::1]'].entries())
      expect(
        await register(server, others[index], { host: `${host}:${server.port}` }),
      ).toMatchObject(asAnyone)

    expect(await register(server, {}, atWindow)).toMatchObject(asHost)
  })

  test('is registered by the setup link, also while registration is closed', async ({ server }) => {
    await server.inside.settings.update({ registration_open: false })

    const common = { setup: setupOf(server), password: 'Baseball' }
    expect(await register(server, common)).toEqual(problem('invalid_input', 'password'))
    expect(await register(server, { setup: setupOf(server) })).toMatchObject(asHost)
  })

  test('is not made by a wrong, old or used link, nor is any account', async ({ server }) => {
    const old = setupOf(server)
    const setup = setupOf(server)
    for (const wrong of [old, '', 'A'.repeat(22), `${setup}A`, setup.toLowerCase()])
      expect(await register(server, { setup: wrong })).toEqual(problem('setup_link_invalid'))
    expect(server.inside.users.all()).toEqual([])

    expect(await register(server, { setup })).toMatchObject(asHost)
    expect(await register(server, { ...others[0], setup })).toEqual(problem('setup_link_invalid'))
    expect(await register(server, { ...others[0], setup }, atWindow)).toEqual(
      problem('setup_link_invalid'),
    )
    expect(server.inside.users.all()).toHaveLength(1)
    expect(server.setupUrl()).toBeUndefined()
  })

  test('can still be made by a link whose first try was refused', async ({ server }) => {
    await aUser(server, 'alice')
    const setup = setupOf(server)

    expect(await register(server, { setup })).toEqual(problem('taken', 'username'))
    expect(await register(server, { ...others[0], setup })).toMatchObject(asHost)
  })

  test('is a single one when the link is used several times at once', async ({ server }) => {
    const setup = setupOf(server)
    const replies = await Promise.all(
      others.map((fields) => register(server, { ...fields, setup })),
    )

    expect(replies.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403])
    expect(server.inside.users.all().map(({ isHost }) => isHost)).toEqual([true])
  })

  test('voids the link when it is made in the window', async ({ server }) => {
    const setup = setupOf(server)
    await register(server, {}, atWindow)

    expect(await register(server, { ...others[0], setup })).toEqual(problem('setup_link_invalid'))
  })

  limited(
    'does not wait for the registrations of strangers behind a relay on this computer',
    async ({ server }) => {
      expect(await register(server, others[0])).toMatchObject(asAnyone)
      expect(await register(server, others[1])).toEqual(problem('too_many_requests'))

      expect(await register(server, { setup: setupOf(server) })).toMatchObject(asHost)
    },
  )
})
