import { z } from 'zod'
import { endpoint } from '../endpoint'
import { warnings } from './facts'
import { describe, id, line, projectId, time } from '../fields'

/** `*` matches any letters, `?` one; commas separate patterns: `*.apk, *.aab`. */
const namePattern = line(200)
  .min(1, 'Write * for all files')
  .regex(/^[^/\\]*$/, 'Write names only, without folders')

/** Preferred source of a build's version; the other is the fallback. */
const versionFrom = z.enum(['package', 'name'], 'Use package or name')

/** Options of a watched folder. */
export const watchFieldsSchema = z.object({
  pattern: namePattern.default('*').meta({
    description: 'Filename patterns, such as *.apk, separated by commas',
    examples: ['*.apk, *.ipa'],
  }),
  version_from: versionFrom
    .default('package')
    .describe(
      'Where the version of a build is read first: package or name; the other is the fallback',
    ),
  include_below: z
    .boolean('Use true or false')
    .default(false)
    .describe('Whether to include subfolders'),
  is_public: z
    .boolean('Use true or false')
    .default(false)
    .describe('Whether builds are public immediately'),
  include_existing: z
    .boolean('Use true or false')
    .default(false)
    .describe('Whether to publish the files that are already in the folder'),
})

export const watchedFileSchema = z.object({
  /** Path relative to the watched folder, separated by `/`, without invisible characters. */
  filename: z.string(),
  /** `known`: the project already had these bytes. */
  outcome: z.enum(['published', 'known', 'failed']),
  version: z.string().nullable(),
  warnings,
  /** Error text. */
  error: z.string().nullable(),
  at: time,
})
export type WatchedFile = z.infer<typeof watchedFileSchema>

export const watchSchema = z.object({
  watch_id: id,
  /** Absolute path. */
  folder: z.string(),
  pattern: z.string(),
  version_from: versionFrom,
  include_below: z.boolean(),
  is_public: z.boolean(),
  /** `missing`: waits for the folder. `failing`: see `problem`. */
  state: z.enum(['watching', 'paused', 'missing', 'failing']),
  problem: z.string().nullable(),
  /** The file being published now. */
  publishing: z.string().nullable(),
  /** Recent files, newest first, including all failures. */
  recent: z.array(watchedFileSchema),
})
export type Watch = z.infer<typeof watchSchema>

/** Token of a folder chosen in the system's dialog: a page cannot name another. */
const chosenFolder = z
  .string()
  .regex(/^[\w-]{43}$/, 'Choose the folder in the dialog')
  .meta({
    description: 'A folder that the person at the host has chosen in its dialog',
    examples: ['q7Vt2xN4mC9pRzL5hWb8KdYs3GfJ6eTuA1oXiQnB0Hv'],
  })

const ofProject = z.object({ id: projectId })
const ofWatch = ofProject.extend({
  watchId: describe(id, 'The id of the watched folder', 'f4Tn8cWq2ZpL'),
})

export const watches = {
  list: endpoint('GET', '/api/projects/:id/watches', {
    summary: 'The watched folders of your project',
    access: 'window',
    input: ofProject,
    reply: z.object({ watches: z.array(watchSchema) }),
    errors: ['not_found', 'forbidden'],
  }),
  add: endpoint('POST', '/api/projects/:id/watches', {
    summary: 'Watch a folder and publish each new build in it',
    access: 'window',
    input: ofProject.extend({ folder: chosenFolder, ...watchFieldsSchema.shape }),
    reply: z.object({ watch: watchSchema }),
    status: 201,
    errors: ['not_found', 'forbidden', 'taken'],
  }),
  change: endpoint('PUT', '/api/projects/:id/watches/:watchId', {
    summary:
      'Change or pause a watched folder; omitted fields keep their value, and failed builds ' +
      'are retried',
    access: 'window',
    input: ofWatch.extend({
      folder: chosenFolder.optional().meta({
        description: 'A folder that the person at the host has chosen in its dialog',
        examples: ['q7Vt2xN4mC9pRzL5hWb8KdYs3GfJ6eTuA1oXiQnB0Hv'],
      }),
      pattern: namePattern.optional().meta({
        description: 'Filename patterns, such as *.apk, separated by commas',
        examples: ['*.apk, *.ipa'],
      }),
      version_from: versionFrom
        .optional()
        .describe(
          'Where the version of a build is read first: package or name; the other is the fallback',
        ),
      include_below: z.boolean().optional().describe('Whether to include subfolders'),
      is_public: z.boolean().optional().describe('Whether builds are public immediately'),
      paused: z.boolean().optional().describe('Whether publishing is paused'),
      include_existing: watchFieldsSchema.shape.include_existing,
    }),
    reply: z.object({ watch: watchSchema }),
    errors: ['not_found', 'forbidden', 'taken'],
  }),
  remove: endpoint('DELETE', '/api/projects/:id/watches/:watchId', {
    summary: 'Stop watching a folder; published builds stay',
    access: 'window',
    input: ofWatch,
    errors: ['not_found', 'forbidden'],
  }),
}
