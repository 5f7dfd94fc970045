import { z } from 'zod'
import { folder } from './data-folder'
import { endpoint } from './endpoint'
import { time } from './fields'

export const backupsSchema = z.object({
  /** Whole path of the folder that the backups are in; null: none was chosen. */
  folder: z.string().nullable(),
  /** Whether it is on the disk of the data, and is lost with it. */
  same_disk: z.boolean(),
  /** Whether one is made every day while the host runs. */
  daily: z.boolean(),
  running: z.object({ files: z.int(), total_files: z.int(), started_at: time }).nullable(),
  /** What the last attempt came to; null: there was none. */
  last: z
    .object({
      at: time,
      /** Why it failed, in words; null: it is whole. */
      failure: z.string().nullable(),
      files: z.int(),
      /** Of the files, those that share their space with an earlier backup. */
      shared: z.int(),
    })
    .nullable(),
  /** When the last whole one was begun; null: there is none. */
  last_good_at: time.nullable(),
  /** Whether the last whole one is older than was asked for. */
  overdue: z.boolean(),
})
export type Backups = z.infer<typeof backupsSchema>

const reply = z.object({ backups: backupsSchema })

export const backups = {
  show: endpoint({
    method: 'GET',
    path: '/api/host/backups',
    summary: 'The backup folder of this host and the result of the last backup',
    access: 'host',
    input: z.object({}),
    reply,
    errors: [],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/host/backups',
    summary: 'Set the backup folder, and turn daily backups on or off',
    access: 'host',
    input: z.object({ folder: folder.optional(), daily: z.boolean().optional() }),
    reply,
    errors: ['not_found', 'in_progress'],
  }),
  run: endpoint({
    method: 'POST',
    path: '/api/host/backups/run',
    summary: 'Start a backup now; it shares unchanged files with the previous one',
    access: 'host',
    input: z.object({}),
    reply,
    errors: ['not_found', 'in_progress'],
  }),
}
