import { z } from 'zod'
import { endpoint } from '../endpoint'
import { time } from '../fields'

/** Token of a folder that the person chose in a dialog of the app. */
export const folder = z
  .string()
  .regex(/^[\w-]{43}$/, 'Choose the folder again')
  .meta({
    description: 'The token that the app window got for a folder that the person chose',
    examples: ['Vt2xN4mC9pRzL5hWb8KdYs3GfJ6eTuA1oXiQnB0HvZq'],
  })

const moveSchema = z.object({
  /** `restore`: a backup becomes the data of this host, and the present folder stays. */
  kind: z.enum(['move', 'restore']),
  /** Absolute path. */
  to: z.string(),
  /**
   * `copying`: the host keeps serving. `waiting`: for uploads to end. `switching`: the host
   * restarts in the new folder.
   */
  stage: z.enum(['copying', 'waiting', 'switching']),
  bytes: z.int(),
  total_bytes: z.int(),
  files: z.int(),
  total_files: z.int(),
  started_at: time,
})

export const dataFolderSchema = z.object({
  /** Absolute path. */
  path: z.string(),
  /** Bytes of its disk; null: unknown. */
  disk: z.object({ free: z.int(), total: z.int() }).nullable(),
  movable: z.boolean(),
  move: moveSchema.nullable(),
  /** Error of the last move; null: no failure since the start. */
  failure: z.string().nullable(),
  /** The previous folder, if it still exists. */
  old: z.string().nullable(),
})
export type DataFolder = z.infer<typeof dataFolderSchema>

const movePlanSchema = z.object({
  to: z.string(),
  files: z.int(),
  bytes: z.int(),
  /** Free bytes of the target disk. */
  free: z.int(),
  /**
   * Both folders share the bytes of files until the old one is deleted, so that little is copied.
   */
  shares: z.boolean(),
})
export type MovePlan = z.infer<typeof movePlanSchema>

const reply = z.object({ data_folder: dataFolderSchema })

export const dataFolder = {
  show: endpoint('GET', '/api/host/data-folder', {
    summary: 'The data folder of this host and the progress of a move',
    access: 'host',
    input: z.object({}),
    reply,
  }),
  plan: endpoint('POST', '/api/host/data-folder/plan', {
    summary: 'Check whether the data can move to the chosen folder',
    access: 'host',
    input: z.object({ folder }),
    reply: z.object({ plan: movePlanSchema }),
    errors: ['not_found'],
  }),
  move: endpoint('POST', '/api/host/data-folder/move', {
    summary: 'Move the data to the chosen folder; it is copied and checked before it is used',
    access: 'host',
    input: z.object({ folder }),
    reply,
    errors: ['not_found', 'in_progress'],
  }),
  cancel: endpoint('DELETE', '/api/host/data-folder/move', {
    summary: 'Cancel the move; the data stays where it is',
    access: 'host',
    input: z.object({}),
    reply,
    errors: ['not_found'],
  }),
  removeOld: endpoint('DELETE', '/api/host/data-folder/old', {
    summary: "Move the old data folder to the system's trash",
    access: 'host',
    input: z.object({}),
    reply,
    errors: ['not_found', 'internal'],
  }),
}
