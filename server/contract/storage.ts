import { z } from 'zod'
import { endpoint } from './endpoint'
import { fileKindSchema } from './file-kind'

export const storageStatsSchema = z.object({
  tier_name: z.string(),
  /** Bytes of the caller's files. */
  used: z.int().nonnegative(),
  /** Bytes that the tier allows. */
  quota: z.int().positive(),
  /** `used` of `quota` in percent, with one decimal. */
  percentage: z.number().nonnegative(),
  /** The files by what they are for, largest first. */
  by_kind: z.array(z.object({ kind: fileKindSchema, files: z.int(), size: z.int() })),
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
