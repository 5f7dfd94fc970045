import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../core/json'
import { replaceFile, type Disk } from '../core/durable-file'

/** The file in the data folder through which commands of the same account reach the running host. */
export const ADMIN_FILE = 'admin.json'

const adminFileSchema = z.object({
  address: z.string().regex(/^127\.0\.0\.1:\d{1,5}$/),
  /** 32 random bytes of this run, base64url. */
  secret: z.string().min(43),
  /** The host's process id, in the form that `isAlive` expects. */
  pid: z.int().positive(),
  started: z.string().nullable(),
})

export type AdminFile = z.infer<typeof adminFileSchema>

const pathIn = (dir: string) => join(dir, ADMIN_FILE)

/** Replaces the file atomically, with mode 0600. */
export async function writeAdminFile(dir: string, content: AdminFile, disk: Disk): Promise<void> {
  await replaceFile(pathIn(dir), `${JSON.stringify(content, null, 2)}\n`, disk)
}

/** Returns undefined if the file is damaged. Throws read errors. */
export async function readAdminFile(dir: string): Promise<AdminFile | undefined> {
  const text = await readFile(pathIn(dir), 'utf8')
  return adminFileSchema.safeParse(parseJson(text)).data
}

export const removeAdminFile = (dir: string): Promise<void> => rm(pathIn(dir), { force: true })
