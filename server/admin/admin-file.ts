import { join } from 'node:path'
import { z } from 'zod'
import type { Disk } from '../core/durable-file'
import { StoredFile } from '../data/stored-file'

const adminFileSchema = z.object({
  address: z.string().regex(/^127\.0\.0\.1:\d{1,5}$/),
  /** 32 random bytes of this run, base64url. */
  secret: z.string().min(43),
  /** The host's process id, in the form that `isAlive` expects. */
  pid: z.int().positive(),
  started: z.string().nullable(),
})

export type AdminFile = z.infer<typeof adminFileSchema>

/**
 * The file in the data folder by which commands of the same account connect to the running host.
 */
export const openAdminFile = (dir: string, disk?: Disk): StoredFile<AdminFile> =>
  new StoredFile(adminFileSchema, join(dir, 'admin.json'), {
    onDamage: 'Start Slipway again to replace it.',
    disk,
  })
