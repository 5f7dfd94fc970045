import { describe, expect } from 'vitest'
import { aFile, aUser } from '../../support/factories'
import { json, problem, replyOf } from '../../support/network/reply'
import { test, type TestServer } from '../../support/test-server'

async function aHost(server: TestServer) {
  const host = await aUser(server, 'host', { isHost: true })
  return { host, ...(await server.atWindow(host)) }
}

describe('people.list', () => {
  test('returns every account, oldest first, and what it stores', async ({ server }) => {
    const { host, browser } = await aHost(server)
    const alice = await aUser(server, 'alice')
    await aFile(server, alice, { bytes: '12345' })

    expect(await replyOf(browser.fetch('/api/host/people'))).toEqual({
      status: 200,
      body: {
        success: true,
        people: [
          {
            user_id: host.id,
            username: 'host',
            email: 'host@example.com',
            tier_name: 'Enterprise',
            is_host: true,
            disabled: false,
            created_at: host.createdAt,
            files: 0,
            used: 0,
          },
          {
            user_id: alice.id,
            username: 'alice',
            email: 'alice@example.com',
            tier_name: 'Free',
            is_host: false,
            disabled: false,
            created_at: alice.createdAt,
            files: 1,
            used: 5,
          },
        ],
        total: 2,
        registration_open: true,
      },
    })
  })

  test('comes in pages', async ({ server }) => {
    const { client } = await aHost(server)
    await aUser(server, 'alice')

    const { people, total } = await client.people.list({ limit: 1, offset: 1 })

    expect([people.map(({ username }) => username), total]).toEqual([['alice'], 2])
  })
})

describe('people.update', () => {
  test('moves an account to another tier', async ({ server }) => {
    const { client } = await aHost(server)
    const alice = await aUser(server, 'alice')

    const { person } = await client.people.update({ id: alice.id, tier_name: 'Pro' })

    expect(person.tier_name).toBe('Pro')
    expect((await server.as(alice).storage.stats({})).stats.tier_name).toBe('Pro')
  })

  test('disabling an account ends its sessions and stops its API keys at once', async ({ server }) => {
    const { client } = await aHost(server)
    const alice = await aUser(server, 'alice')
    const { browser } = await server.signedIn(alice)
    await server.as(alice).files.mine({})

    await client.people.update({ id: alice.id, disabled: true })

    expect((await browser.fetch('/api/auth/me')).status).toBe(401)
    expect(await replyOf(server.fetchAs(alice)('/api/files/my-files'))).toEqual(problem('bad_api_key'))
  })

  test('enabling it again lets it sign in; its old sessions stay dead', async ({ server }) => {
    const { client } = await aHost(server)
    const alice = await aUser(server, 'alice')
    const { browser } = await server.signedIn(alice)
    await client.people.update({ id: alice.id, disabled: true })

    const { person } = await client.people.update({ id: alice.id, disabled: false })

    expect(person.disabled).toBe(false)
    expect((await browser.fetch('/api/auth/me')).status).toBe(401)
    await server.signedIn(alice)
  })

  test('the host cannot disable their own account', async ({ server }) => {
    const { host, browser } = await aHost(server)

    const reply = await replyOf(browser.fetch(`/api/host/people/${host.id}`, json('PUT', { disabled: true })))

    expect(reply).toEqual(problem('invalid_input', 'disabled'))
  })

  test.for([
    ['an unknown tier', { tier_name: 'Gold' }, problem('invalid_input', 'tier_name')],
    ['a word for a yes', { disabled: 'yes' }, problem('invalid_input', 'disabled')],
  ] as const)('refuses %s', async ([, fields, expected], { server }) => {
    const { host, browser } = await aHost(server)

    expect(await replyOf(browser.fetch(`/api/host/people/${host.id}`, json('PUT', fields)))).toEqual(expected)
  })

  test('does not know everybody', async ({ server }) => {
    const { browser } = await aHost(server)

    const reply = await replyOf(browser.fetch('/api/host/people/nobody-at-all', json('PUT', { tier_name: 'Pro' })))

    expect(reply).toEqual(problem('not_found'))
  })
})

describe('people.resetPassword', () => {
  test('gives a password that signs in, and ends the sessions that were', async ({ server }) => {
    const { client } = await aHost(server)
    const alice = await aUser(server, 'alice')
    const { browser } = await server.signedIn(alice)

    const { password, person } = await client.people.resetPassword({ id: alice.id })

    expect(person.username).toBe('alice')
    expect(password).toMatch(/^[\w-]{16}$/)
    expect((await browser.fetch('/api/auth/me')).status).toBe(401)
    await server.visitor().accounts.login({ username: 'alice', password })
  })

  test('does not know everybody', async ({ server }) => {
    const { browser } = await aHost(server)

    const reply = await replyOf(browser.fetch('/api/host/people/nobody-at-all/reset-password', json('POST', {})))

    expect(reply).toEqual(problem('not_found'))
  })
})

describe('people.setRegistration', () => {
  test('closes and opens registration', async ({ server }) => {
    const { client } = await aHost(server)

    expect(await client.people.setRegistration({ open: false })).toEqual({ registration_open: false })
    expect(server.context.data.settings.get().registrationOpen).toBe(false)
    expect(await client.people.setRegistration({ open: true })).toEqual({ registration_open: true })
  })
})

describe('only the host account at the window has these calls', () => {
  test.for([
    ['a visitor', async (server: TestServer) => server.fetch],
    [
      'a user at the window',
      async (server: TestServer) => (await server.atWindow(await aUser(server, 'alice'))).browser.fetch,
    ],
    [
      'the host account in another browser',
      async (server: TestServer) =>
        (await server.signedIn(await aUser(server, 'host', { isHost: true }))).browser.fetch,
    ],
    [
      'an API key of the host account',
      async (server: TestServer) => server.fetchAs(await aUser(server, 'host', { isHost: true })),
    ],
  ] as const)('%s', async ([, arrive], { server }) => {
    const fetch = await arrive(server)

    const unknown = await replyOf(fetch('/api/no-such-call'))

    expect(unknown).toEqual(problem('not_found'))
    expect(await replyOf(fetch('/api/host/people'))).toEqual(unknown)
  })
})
