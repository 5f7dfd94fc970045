import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errorCode, replaceFile, type Disk } from '../../core/durable-file'

const NAME = 'backups.json'

const stateSchema = z.object({
  folder: z.string().nullable(),
  daily: z.boolean(),
  /** Whether this folder ever had a complete backup: if it has none now, its disk is not connected. */
  isUsed: z.boolean(),
  last: z.object({ at: z.iso.datetime(), failure: z.string().nullable(), files: z.int(), shared: z.int() }).nullable(),
  lastGoodAt: z.iso.datetime().nullable(),
  /** Automatic backups in the folder: only these are deleted automatically. */
  dailies: z.array(z.string()).default([]),
})

/** Settings and results of the backups, in the data folder; not part of a backup. */
export type BackupState = z.infer<typeof stateSchema>

const NONE: BackupState = { folder: null, daily: false, isUsed: false, last: null, lastGoodAt: null, dailies: [] }

/** Throws a user-facing error for an invalid file. */
export async function readBackupState(dataDir: string): Promise<BackupState> {
  const path = join(dataDir, NAME)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return NONE
  try {
    return stateSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${path} is damaged. Delete it, and choose the folder of your backups again.`, { cause })
  }
}

export async function writeBackupState(dataDir: string, state: BackupState, disk: Disk): Promise<void> {
  await replaceFile(join(dataDir, NAME), `${JSON.stringify(state, null, 2)}\n`, disk)
}
