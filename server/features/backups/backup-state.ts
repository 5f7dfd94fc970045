import { join } from 'node:path'
import { z } from 'zod'
import type { Disk } from '../../core/durable-file'
import { StoredFile } from '../../data/stored-file'

const stateSchema = z.object({
  folder: z.string().nullable(),
  daily: z.boolean(),
  /**
   * Whether this folder ever had a complete backup: if it has none now, its disk is not connected.
   */
  isUsed: z.boolean(),
  last: z
    .object({
      at: z.iso.datetime(),
      failure: z.string().nullable(),
      files: z.int(),
      shared: z.int(),
      problems: z.array(z.string()).default([]),
    })
    .nullable(),
  lastGoodAt: z.iso.datetime().nullable(),
  /** Automatic backups in the folder: only these are deleted automatically. */
  dailies: z.array(z.string()).default([]),
})

export type BackupState = z.infer<typeof stateSchema>

/**
 * Opens the settings and results of the backups, in the data folder. They are not part of a backup.
 */
export const openBackupState = (dataDir: string, disk?: Disk): StoredFile<BackupState> =>
  new StoredFile(stateSchema, join(dataDir, 'backups.json'), {
    onDamage: 'Delete it, and choose the folder of your backups again.',
    disk,
  })

const byteCheckSchema = z.object({
  /** The day of the last reading, whether it is finished, and how many bytes it has read. */
  day: z.string(),
  isDone: z.boolean(),
  bytes: z.number(),
  /** The last blob that was read: the next reading continues behind it. Empty: at the first. */
  after: z.string(),
})

export type ByteCheck = z.infer<typeof byteCheckSchema>

/** Opens how far the daily reading of stored bytes has come, in the data folder. */
export const openByteCheck = (dataDir: string, disk?: Disk): StoredFile<ByteCheck> =>
  new StoredFile(byteCheckSchema, join(dataDir, 'byte-check.json'), { onDamage: () => null, disk })

const commandBackupSchema = z.object({
  at: z.iso.datetime(),
  /** The folder of the backup. */
  path: z.string().optional(),
  /** Damaged files, one sentence each. */
  problems: z.array(z.string()),
})

/**
 * Opens the last backup by `slipway backup`, in the data folder, so that the running host knows it,
 * too.
 */
export const commandBackupIn = (dataDir: string): StoredFile<z.infer<typeof commandBackupSchema>> =>
  new StoredFile(commandBackupSchema, join(dataDir, 'command-backup.json'), {
    onDamage: () => null,
  })
