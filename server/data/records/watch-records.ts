import { z } from 'zod'
import { id, time } from '../../contract/fields'
import { bytes, text } from './fields'
import { warnings } from './upload-records'

/** A relative path below a watched folder that never leaves it. */
const nameBelow = z
  .string()
  .min(1)
  .max(4096)
  .refine(
    (name) =>
      !name.includes('\0') && name.split('/').every((part) => !['', '.', '..'].includes(part)),
    'not a name',
  )

/** A folder of this machine whose new builds are published on a project. */
export type WatchRecord = z.infer<typeof watchRecord>

export const watchRecord = z.object({
  id,
  projectId: id,
  ownerId: id,
  folder: z.string().max(4096),
  pattern: z.string().max(255),
  withBelow: z.boolean(),
  versionFrom: z.enum(['package', 'name']),
  isPublic: z.boolean(),
  isPaused: z.boolean(),
  createdAt: time,
})

/** A file in a watched folder as it was when last handled. */
export type WatchedFileRecord = z.infer<typeof watchedFileRecord>

export const watchedFileRecord = z.object({
  id: z.string().max(5000),
  watchId: id,
  /** Path relative to the watched folder, separated by `/`. */
  name: nameBelow,
  size: bytes,
  /** Last modified, in ms since 1970. */
  modifiedMs: z.number(),
  /** `present`: existed before the watch, so it is ignored. */
  outcome: z.enum(['present', 'published', 'known', 'failed']),
  error: text.nullable(),
  at: time,
})

/** Bytes that a project got from a watched folder; never published twice. */
export type WatchedBuildRecord = z.infer<typeof watchedBuildRecord>

export const watchedBuildRecord = z.object({
  id: z.string().regex(/^[\w-]{8,64}\/[0-9a-f]{64}$/),
  projectId: id,
  watchId: id,
  /** As `name` of a watched file. */
  filename: nameBelow,
  version: text.nullable(),
  warnings: warnings.optional(),
  at: time,
})
