import { describe, expect } from 'vitest'
import { MB } from '../../../server/contract'
import { aFile, aFullQuota, aUser } from '../../support/world/factories'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'

describe('storage.stats', () => {
  test('returns tier, use and quota, and the files by kind, largest first', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    await aFile(server, alice, { filename: 'notes.txt', bytes: '1' })
    await aFile(server, alice, { filename: 'one.apk', bytes: '12' })
    await aFile(server, alice, { filename: 'two.apk', bytes: '1234' })

    expect(await replyOf(server.fetchAs(alice)('/api/storage/stats'))).toEqual({
      status: 200,
      body: {
        success: true,
        stats: {
          tier_name: 'Free',
          used: 7,
          quota: 100 * MB,
          percentage: 0,
          largest_file: 2048 * MB,
          by_kind: [
            { kind: 'android', files: 2, size: 6 },
            { kind: 'other', files: 1, size: 1 },
          ],
        },
      },
    })
  })

  test.for([
    ['Free', 100 * MB],
    ['Basic', 1024 * MB],
    ['Pro', 10 * 1024 * MB],
    ['Enterprise', 1024 * 1024 * MB],
  ] as const)('the quota of %s is %d bytes', async ([tier, quota], { server }) => {
    const user = await aUser(server, 'user', { tier })

    expect((await server.as(user).storage.stats({})).stats).toMatchObject({ tier_name: tier, quota })
  })

  test('the percentage has one decimal', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    await aFullQuota(server, alice, 100 * MB - 35_000_000)

    expect((await server.as(alice).storage.stats({})).stats.percentage).toBe(33.4)
  })

  test('asks visitors to sign in', async ({ server }) => {
    expect(await replyOf(server.fetch('/api/storage/stats'))).toEqual(problem('sign_in_required'))
  })
})
