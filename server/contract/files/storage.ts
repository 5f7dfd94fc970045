import { z } from 'zod'
import { endpoint } from '../endpoint'
import { fileKinds } from './formats'

/**
 * A kind of file, `pictures` of projects, files of `reports`, or `text`: titles, descriptions,
 * posts, reports and upload metadata.
 */
const storageKindSchema = z.enum([...fileKinds, 'pictures', 'reports', 'text'])
export type StorageKind = z.infer<typeof storageKindSchema>

export const storageStatsSchema = z.object({
  tier_name: z.string(),
  /** Bytes of the caller's files, pictures and text. */
  used: z.int().nonnegative(),
  /** Bytes. */
  quota: z.int().positive(),
  /**
   * Bytes that still fit: the remaining quota or the free space of the host's disk, whichever is
   * less.
   */
  free: z.int().nonnegative(),
  /** Percent of the quota, one decimal. */
  percentage: z.number().nonnegative(),
  /** The largest file that this host takes, in bytes. */
  largest_file: z.int().positive(),
  /** Largest first. `files` is 0 for pictures and text. */
  by_kind: z.array(z.object({ kind: storageKindSchema, files: z.int(), size: z.int() })),
})
export type StorageStats = z.infer<typeof storageStatsSchema>

export const storage = {
  stats: endpoint('GET', '/api/storage/stats', {
    summary: 'How much of your storage quota is used',
    access: 'user',
    input: z.object({}),
    reply: z.object({ stats: storageStatsSchema }),
  }),
}
