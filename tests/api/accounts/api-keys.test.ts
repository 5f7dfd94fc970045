import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { aUser } from '../../support/factories'
import { json, problem, refusal, replyOf } from '../../support/network/reply'
import { test } from '../../support/test-server'
import { DAY } from '../../support/test-clock'

describe('apiKeys.create', () => {
  test('answers the key, once', async ({ server, clock }) => {
    const { browser } = await server.signedIn(await aUser(server, 'alice'))

    expect(
      await replyOf(browser.fetch('/api/auth/api-keys', json('POST', { name: ' CI ', expires_days: 30 }))),
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
          scopes: ['read', 'upload', 'manage'],
          project_id: null,
        },
      },
    })
  })

  test.for([{}, { expires_days: null }])(
    'without an expiry the key does not expire: %j',
    async (fields, { server }) => {
      const { client } = await server.signedIn(await aUser(server, 'alice'))

      expect((await client.apiKeys.create({ name: 'CI', ...fields })).key.expires_at).toBeNull()
    },
  )

  test.for([
    ['name', {}],
    ['name', { name: '  ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: '\u0007' }],
    ['expires_days', { name: 'CI', expires_days: 0 }],
    ['expires_days', { name: 'CI', expires_days: -1 }],
    ['expires_days', { name: 'CI', expires_days: 1.5 }],
    ['expires_days', { name: 'CI', expires_days: '30' }],
    ['expires_days', { name: 'CI', expires_days: 1e9 }],
  ] as const)('names %s when it is wrong: %j', async ([field, fields], { server }) => {
    const { browser } = await server.signedIn(await aUser(server, 'alice'))

    expect(await replyOf(browser.fetch('/api/auth/api-keys', json('POST', fields)))).toEqual(
      problem('invalid_input', field),
    )
  })

  test('the key itself is nowhere on disk', async ({ server }) => {
    const { client } = await server.signedIn(await aUser(server, 'alice'))
    const { api_key } = await client.apiKeys.create({ name: 'CI' })

    const names = (await readdir(server.dataDir)).filter((name) => /\.(log|json)$/.test(name))
    const texts = await Promise.all(names.map((name) => readFile(join(server.dataDir, name), 'utf8')))

    expect(texts.join()).toContain('"apiKeys"')
    expect(texts.join()).not.toContain(api_key.slice(4))
  })
})

describe('apiKeys.list', () => {
  test('returns your keys, newest first, and never their value', async ({ server, clock }) => {
    const { client, browser } = await server.signedIn(await aUser(server, 'alice'))
    const { key: older } = await client.apiKeys.create({ name: 'older' })
    clock.advance(DAY)
    const { key: newer } = await client.apiKeys.create({ name: 'newer' })

    expect(await replyOf(browser.fetch('/api/auth/api-keys'))).toEqual({
      status: 200,
      body: { success: true, keys: [newer, older] },
    })
  })

  test('returns no other user’s keys', async ({ server }) => {
    const alice = await server.signedIn(await aUser(server, 'alice'))
    const bob = await server.signedIn(await aUser(server, 'bob'))
    await alice.client.apiKeys.create({ name: 'hers' })

    expect(await bob.client.apiKeys.list({})).toEqual({ keys: [] })
  })
})

describe('apiKeys.revoke', () => {
  test('stops the key and keeps it in the list', async ({ server }) => {
    const { client, browser } = await server.signedIn(await aUser(server, 'alice'))
    const { key } = await client.apiKeys.create({ name: 'CI' })

    const revoked = { ...key, active: false, status: 'revoked' }

    expect(await replyOf(browser.fetch(`/api/auth/api-keys/${key.key_id}/revoke`, { method: 'POST' }))).toEqual({
      status: 200,
      body: { success: true, key: revoked },
    })
    expect(await client.apiKeys.list({})).toEqual({ keys: [revoked] })
  })

  test('twice is once', async ({ server }) => {
    const { client } = await server.signedIn(await aUser(server, 'alice'))
    const { key } = await client.apiKeys.create({ name: 'CI' })
    const first = await client.apiKeys.revoke({ id: key.key_id })

    expect(await client.apiKeys.revoke({ id: key.key_id })).toEqual(first)
  })
})

describe('apiKeys.remove', () => {
  test('removes the key from the list', async ({ server }) => {
    const { client, browser } = await server.signedIn(await aUser(server, 'alice'))
    const { key } = await client.apiKeys.create({ name: 'CI' })

    expect(await replyOf(browser.fetch(`/api/auth/api-keys/${key.key_id}`, { method: 'DELETE' }))).toEqual({
      status: 200,
      body: { success: true },
    })
    expect(await client.apiKeys.list({})).toEqual({ keys: [] })
  })
})

describe('another user’s key', () => {
  test('is as good as none', async ({ server }) => {
    const alice = await server.signedIn(await aUser(server, 'alice'))
    const bob = await server.signedIn(await aUser(server, 'bob'))
    const { api_key, key } = await alice.client.apiKeys.create({ name: 'hers' })

    for (const id of [key.key_id, 'no-such-key-id-1']) {
      await expect(bob.client.apiKeys.revoke({ id })).rejects.toMatchObject(refusal('not_found'))
      await expect(bob.client.apiKeys.remove({ id })).rejects.toMatchObject(refusal('not_found'))
    }
    expect((await server.fetch('/api/builds', { headers: { 'x-api-key': api_key } })).status).toBe(200)
  })
})

test('keys cannot manage keys', async ({ server }) => {
  const alice = server.as(await aUser(server, 'alice'))

  await expect(alice.apiKeys.list({})).rejects.toMatchObject(refusal('sign_in_required'))
  await expect(alice.apiKeys.create({ name: 'CI' })).rejects.toMatchObject(refusal('sign_in_required'))
  await expect(alice.apiKeys.revoke({ id: 'any-key-id' })).rejects.toMatchObject(refusal('sign_in_required'))
  await expect(alice.apiKeys.remove({ id: 'any-key-id' })).rejects.toMatchObject(refusal('sign_in_required'))
})
