import { z } from 'zod'
import { folder } from './data-folder'
import { endpoint } from '../endpoint'
import { time } from '../fields'

export const backupsSchema = z.object({
  /** Absolute path; null: no folder chosen. */
  folder: z.string().nullable(),
  same_disk: z.boolean(),
  daily: z.boolean(),
  running: z.object({ files: z.int(), total_files: z.int(), started_at: time }).nullable(),
  /** The last attempt, or null if there is none. */
  last: z
    .object({
      at: time,
      failure: z.string().nullable(),
      files: z.int(),
      /** Files that share disk space with an earlier backup. */
      shared: z.int(),
    })
    .nullable(),
  /** Time of the last backup by `slipway backup`, or null. */
  last_by_command: time.nullable(),
  /** Damage that the newest backup or the daily reading found: a sentence per file, at most 100. */
  damaged: z.array(z.string()),
  /** Start of the last complete backup, or null if there is none. */
  last_good_at: time.nullable(),
  /** Whether the last complete backup is older than scheduled. */
  overdue: z.boolean(),
})
export type Backups = z.infer<typeof backupsSchema>

const reply = z.object({ backups: backupsSchema })

export const backups = {
  show: endpoint('GET', '/api/host/backups', {
    summary: 'The backup folder of this host and the result of the last backup',
    access: 'host',
    input: z.object({}),
    reply,
  }),
  change: endpoint('PUT', '/api/host/backups', {
    summary: 'Set the backup folder, and turn daily backups on or off',
    access: 'host',
    input: z.object({
      folder: folder.optional().meta({
        description: 'The token that the app window got for a folder that the person chose',
        examples: ['Vt2xN4mC9pRzL5hWb8KdYs3GfJ6eTuA1oXiQnB0HvZq'],
      }),
      daily: z
        .boolean()
        .optional()
        .describe('Whether a backup is made every day while the host runs'),
    }),
    reply,
    errors: ['not_found', 'in_progress'],
  }),
  run: endpoint('POST', '/api/host/backups/run', {
    summary: 'Start a backup now; it shares unchanged files with the previous one',
    access: 'host',
    input: z.object({}),
    reply,
    errors: ['not_found', 'in_progress'],
  }),
}
