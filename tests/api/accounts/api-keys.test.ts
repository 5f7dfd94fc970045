import { describe, expect } from 'vitest'
import { aUser } from '../../support/world/factories'
import { json, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import { DAY } from '../../support/world/test-clock'

describe('apiKeys.create', () => {
  test('answers the key, once', async ({ clock, signedIn: { browser } }) => {
    expect(
      await replyOf(
        browser.fetch('/api/auth/api-keys', json('POST', { name: ' CI ', expires_days: 30 })),
      ),
    ).toEqual({
      status: 201,
      body: {
        success: true,
        api_key: expect.stringMatching(/^apk_[\w-]{43}$/),
        key: {
          key_id: expect.stringMatching(/^[\w-]{16}$/),
          name: 'CI',
          created_at: clock.now().toISOString(),
          expires_at: new Date(clock.now().getTime() + 30 * DAY).toISOString(),
          last_used: null,
          active: true,
          status: 'active',
          scopes: ['read', 'upload', 'manage', 'report'],
          project_id: null,
        },
      },
    })
  })

  test.for([{}, { expires_days: null }])(
    'without an expiry the key does not expire: %j',
    async (fields, { signedIn: { client } }) => {
      expect((await client.apiKeys.create({ name: 'CI', ...fields })).key.expires_at).toBeNull()
    },
  )
})

describe('apiKeys.list', () => {
  test('returns your keys, newest first, and never their value', async ({
    server,
    clock,
    signedIn: { client, browser },
  }) => {
    const { key: older } = await client.apiKeys.create({ name: 'older' })
    clock.advance(DAY)
    const { key: newer } = await client.apiKeys.create({ name: 'newer' })

    expect(await replyOf(browser.fetch('/api/auth/api-keys'))).toEqual({
      status: 200,
      body: { success: true, keys: [newer, older] },
    })
    const bob = await server.signedIn(await aUser(server, 'bob'))
    expect(await bob.client.apiKeys.list({})).toEqual({ keys: [] })
  })
})

describe('apiKeys.revoke', () => {
  test('stops the key and keeps it in the list', async ({ signedIn: { client, browser } }) => {
    const { key } = await client.apiKeys.create({ name: 'CI' })

    const revoked = { ...key, active: false, status: 'revoked' }

    expect(
      await replyOf(browser.fetch(`/api/auth/api-keys/${key.key_id}/revoke`, { method: 'POST' })),
    ).toEqual({
      status: 200,
      body: { success: true, key: revoked },
    })
    expect(await client.apiKeys.list({})).toEqual({ keys: [revoked] })
  })

  test('twice is once', async ({ signedIn: { client } }) => {
    const { key } = await client.apiKeys.create({ name: 'CI' })
    const first = await client.apiKeys.revoke({ id: key.key_id })

    expect(await client.apiKeys.revoke({ id: key.key_id })).toEqual(first)
  })
})

describe('apiKeys.remove', () => {
  test('removes the key from the list', async ({ signedIn: { client, browser } }) => {
    const { key } = await client.apiKeys.create({ name: 'CI' })

    expect(
      await replyOf(browser.fetch(`/api/auth/api-keys/${key.key_id}`, { method: 'DELETE' })),
    ).toEqual({
      status: 200,
      body: { success: true },
    })
    expect(await client.apiKeys.list({})).toEqual({ keys: [] })
  })
})
