import { describe, expect } from 'vitest'
import { MB } from '../../../server/contract'
import { aFile, aFullQuota, aUser } from '../../support/world/factories'
import { replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'

describe('storage.stats', () => {
  test('returns tier, use and quota, and the files by kind, largest first', async ({ server, alice }) => {
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

  test('the quota is that of the tier', async ({ server }) => {
    const quotas = { Free: 100 * MB, Basic: 1024 * MB, Pro: 10 * 1024 * MB, Enterprise: 1024 * 1024 * MB } as const
    for (const [tier, quota] of Object.entries(quotas) as [keyof typeof quotas, number][]) {
      const user = await aUser(server, tier, { tier })
      expect((await server.as(user).storage.stats({})).stats).toMatchObject({ tier_name: tier, quota })
    }
  })

  test('the percentage has one decimal', async ({ server, alice }) => {
    await aFullQuota(server, alice, 100 * MB - 35_000_000)

    expect((await server.as(alice).storage.stats({})).stats.percentage).toBe(33.4)
  })
})
