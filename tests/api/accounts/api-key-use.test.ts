import { describe, expect } from 'vitest'
import { aUser } from '../../support/world/factories'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { DAY, MINUTE } from '../../support/world/test-clock'

const check = (server: TestServer, headers: Record<string, string>) =>
  replyOf(server.fetch('/api/storage/stats', { headers }))

async function aKey(server: TestServer, expiresDays: number | null = null) {
  const alice = await aUser(server, 'alice')
  return { alice, ...(await server.inside.apiKeys.create(alice.id, 'CI', expiresDays)) }
}

describe('an API key', () => {
  test('stands for its user', async ({ server }) => {
    const { key } = await aKey(server)

    expect(await check(server, { 'x-api-key': key })).toMatchObject({ status: 200 })
  })

  test('stops working at its expiry', async ({ server, clock }) => {
    const { key } = await aKey(server, 1)

    clock.advance(DAY - 1)
    expect(await check(server, { 'x-api-key': key })).toMatchObject({ status: 200 })
    clock.advance(1)
    expect(await check(server, { 'x-api-key': key })).toEqual(problem('bad_api_key'))
  })

  test('is listed as expired then', async ({ server, clock }) => {
    const { alice } = await aKey(server, 1)
    clock.advance(DAY)
    const { client } = await server.signedIn(alice)

    expect((await client.apiKeys.list({})).keys).toMatchObject([
      { active: false, status: 'expired' },
    ])
  })

  test('opens nothing when it is spoiled or made up', async ({ server }) => {
    const { key } = await aKey(server)
    for (const bad of [
      key.slice(0, -1),
      key.toUpperCase(),
      `apk_${'x'.repeat(43)}`,
      'secret',
      'x'.repeat(10_000),
    ])
      expect(await check(server, { 'x-api-key': bad }), bad.slice(0, 60)).toEqual(
        problem('bad_api_key'),
      )
  })

  test('a bad key fails the request even beside a good session, and where none is needed', async ({
    server,
    signedIn: { browser },
  }) => {
    const headers = { cookie: browser.cookie, 'x-api-key': 'apk_bad' }

    expect(await check(server, headers)).toEqual(problem('bad_api_key'))
    expect(await replyOf(server.fetch('/api/auth/check', { headers }))).toEqual(
      problem('bad_api_key'),
    )
    expect(await replyOf(server.fetch('/api/projects', { headers }))).toEqual(
      problem('bad_api_key'),
    )
  })

  test('counts before the session beside it', async ({ server }) => {
    const { key } = await aKey(server)
    const { browser } = await server.signedIn(await aUser(server, 'bob', { tier: 'Pro' }))

    const { body } = await check(server, { cookie: browser.cookie, 'x-api-key': key })

    expect(body).toMatchObject({ stats: { tier_name: 'Free' } })
  })

  test('does not work in the address or as a bearer token', async ({ server }) => {
    const { key } = await aKey(server)

    expect(
      await replyOf(server.fetch(`/api/storage/stats?api_key=${key}&x-api-key=${key}`)),
    ).toEqual(problem('sign_in_required'))
    expect(await check(server, { authorization: `Bearer ${key}` })).toEqual(
      problem('sign_in_required'),
    )
  })

  test('remembers its last use, to the minute', async ({ server, clock }) => {
    const { alice, key } = await aKey(server)
    const { client } = await server.signedIn(alice)

    clock.advance(MINUTE)
    await check(server, { 'x-api-key': key })

    const { keys } = await client.apiKeys.list({})
    expect(keys).toMatchObject([{ last_used: '2030-01-02T03:05:00.000Z' }])
  })
})
