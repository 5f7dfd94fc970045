import { z } from 'zod'
import { endpoint } from './endpoint'

export const storageStatsSchema = z.object({
  tier_name: z.string(),
  /** Bytes of the caller's files. */
  used: z.int().nonnegative(),
  /** Bytes that the tier allows. */
  quota: z.int().positive(),
  /** `used` of `quota` in percent, with one decimal. */
  percentage: z.number().nonnegative(),
})
export type StorageStats = z.infer<typeof storageStatsSchema>

export const storage = {
  stats: endpoint({
    method: 'GET',
    path: '/api/storage/stats',
    summary: 'How much of your storage quota is used',
    access: 'user',
    input: z.object({}),
    reply: z.object({ stats: storageStatsSchema }),
    errors: [],
  }),
}
