import { describe, expect } from 'vitest'
import { MB } from '../../../server/contract'
import { aFile, aFullQuota } from '../../support/world/factories'
import { replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'

describe('storage.stats', () => {
  test('returns tier, use and quota, and the files by kind, largest first', async ({
    server,
    alice,
  }) => {
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
          free: 100 * MB - 7,
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

  test('the percentage has one decimal', async ({ server, alice }) => {
    await aFullQuota(server, alice, 100 * MB - 35_000_000)

    expect((await server.as(alice).storage.stats({})).stats.percentage).toBe(33.4)
  })
})
