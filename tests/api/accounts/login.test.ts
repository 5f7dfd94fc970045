import { describe, expect } from 'vitest'
import { PASSWORD } from '../../support/world/password'
import { json, problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const login = (server: TestServer, username: unknown, password: unknown = PASSWORD) =>
  server.fetch('/api/auth/login', json('POST', { username, password }))

describe('accounts.login', () => {
  test('answers the user and starts a session', async ({ server, alice }) => {
    const response = await login(server, 'alice')

    expect(response.headers.getSetCookie().join('\n')).toContain('slipway.sid=')
    expect(await replyOf(response)).toEqual({
      status: 200,
      body: {
        success: true,
        user: {
          user_id: alice.id,
          username: 'alice',
          email: 'alice@example.com',
          tier_name: 'Free',
          is_host: false,
          created_at: alice.createdAt,
        },
      },
    })
  })

  test('accepts the name and the email address in any case', async ({ server, alice }) => {
    for (const name of [
      alice.username,
      'ALICE',
      ' alice ',
      'alice@example.com',
      'Alice@Example.COM',
    ])
      expect((await login(server, name)).status, name).toBe(200)
  })

  test('says that an account is disabled, after the right password', async ({ server, alice }) => {
    await server.inside.users.change(alice.id, { disabled: true })

    expect(await replyOf(login(server, 'alice'))).toEqual(problem('account_disabled'))
    expect(await replyOf(login(server, 'alice', 'wrong'))).toEqual(problem('bad_credentials'))
  })
})

describe('accounts.check', () => {
  const check = (server: TestServer, headers: Record<string, string> = {}) =>
    replyOf(server.fetch('/api/auth/check', { headers }))

  test('answers no to a visitor', async ({ server }) => {
    expect(await check(server)).toEqual({
      status: 200,
      body: { success: true, authenticated: false },
    })
  })

  test('answers yes to a signed-in user', async ({ server, signedIn: { browser } }) => {
    expect(await check(server, { cookie: browser.cookie })).toEqual({
      status: 200,
      body: { success: true, authenticated: true },
    })
  })
})

describe('accounts.me', () => {
  test('answers the user', async ({ alice, signedIn: { browser } }) => {
    expect(await replyOf(browser.fetch('/api/auth/me'))).toEqual({
      status: 200,
      body: {
        success: true,
        manages_host: false,
        host_username: null,
        lacks_factor: false,
        email_digest: 'off',
        user: {
          user_id: alice.id,
          username: 'alice',
          email: 'alice@example.com',
          tier_name: 'Free',
          is_host: false,
          created_at: alice.createdAt,
        },
      },
    })
  })
})
