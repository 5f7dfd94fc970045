import { z } from 'zod'
import { endpoint } from './endpoint'
import { fileKindSchema } from './file-kind'

/** What uses storage: files of a kind, or `text`: titles, descriptions, posts, and what uploads say of themselves. */
const storageKindSchema = fileKindSchema.or(z.literal('text'))
export type StorageKind = z.infer<typeof storageKindSchema>

export const storageStatsSchema = z.object({
  tier_name: z.string(),
  /** Bytes of the caller's files and text. */
  used: z.int().nonnegative(),
  /** Bytes that the tier allows. */
  quota: z.int().positive(),
  /** `used` of `quota` in percent, with one decimal. */
  percentage: z.number().nonnegative(),
  /** The files by what they are for, and the text, largest first. `files` is 0 for text. */
  by_kind: z.array(z.object({ kind: storageKindSchema, files: z.int(), size: z.int() })),
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
