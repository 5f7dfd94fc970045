import { z } from 'zod'
import { endpoint } from './endpoint'
import { id, idOrSlug, line, time } from './fields'

/** Which names count: `*` stands for any letters, `?` for one, and commas part several: `*.apk, *.aab`. */
const namePattern = line(200)
  .min(1, 'Write * for all files')
  .regex(/^[^/\\]*$/, 'Write names only, without folders')

/** What tells the version of a build first: the package itself, or its name. The other one tells it else. */
const versionFrom = z.enum(['package', 'name'], 'Use package or name')

/** What a person chooses for a watched folder, besides the folder. */
export const watchFieldsSchema = z.object({
  pattern: namePattern.default('*'),
  version_from: versionFrom.default('package'),
  /** Whether files in folders below count too. */
  include_below: z.boolean('Use true or false').default(false),
  /** Whether everybody may see a build at once; else it stays private until somebody makes it public. */
  is_public: z.boolean('Use true or false').default(false),
  /** Whether what is in the folder already is published as well. */
  include_existing: z.boolean('Use true or false').default(false),
})

export const watchedFileSchema = z.object({
  /** Without unseen characters. In a folder below: with the way there, parted by `/`. */
  filename: z.string(),
  /** `known`: the project has had the same bytes before. */
  outcome: z.enum(['published', 'known', 'failed']),
  version: z.string().nullable(),
  /** Why it has failed, for people. */
  error: z.string().nullable(),
  at: time,
})
export type WatchedFile = z.infer<typeof watchedFileSchema>

export const watchSchema = z.object({
  watch_id: id,
  /** The whole path at the host. */
  folder: z.string(),
  pattern: z.string(),
  version_from: versionFrom,
  include_below: z.boolean(),
  is_public: z.boolean(),
  /** `missing`: the folder is not there, and is waited for. `failing`: `problem` says why. */
  state: z.enum(['watching', 'paused', 'missing', 'failing']),
  problem: z.string().nullable(),
  /** The file that is being published at this moment. */
  publishing: z.string().nullable(),
  /** What has become of files lately, newest first; whatever has failed is in it. */
  recent: z.array(watchedFileSchema),
})
export type Watch = z.infer<typeof watchSchema>

/** Stands for a folder that the person has chosen in the system's dialog: a page cannot name another. */
const chosenFolder = z.string().regex(/^[\w-]{43}$/, 'Choose the folder in the dialog')

const ofProject = z.object({ id: idOrSlug })
const ofWatch = ofProject.extend({ watchId: id })

export const watches = {
  list: endpoint({
    method: 'GET',
    path: '/api/projects/:id/watches',
    summary: 'The watched folders of your project',
    access: 'window',
    input: ofProject,
    reply: z.object({ watches: z.array(watchSchema) }),
    errors: ['not_found', 'forbidden'],
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/projects/:id/watches',
    summary: 'Watch a folder and publish each new build in it',
    access: 'window',
    input: ofProject.extend({ folder: chosenFolder, ...watchFieldsSchema.shape }),
    reply: z.object({ watch: watchSchema }),
    status: 201,
    errors: ['not_found', 'forbidden', 'taken'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/projects/:id/watches/:watchId',
    summary: 'Change or pause a watched folder; omitted fields keep their value, and failed builds are retried',
    access: 'window',
    input: ofWatch.extend({
      folder: chosenFolder.optional(),
      pattern: namePattern.optional(),
      version_from: versionFrom.optional(),
      include_below: z.boolean().optional(),
      is_public: z.boolean().optional(),
      paused: z.boolean().optional(),
      include_existing: watchFieldsSchema.shape.include_existing,
    }),
    reply: z.object({ watch: watchSchema }),
    errors: ['not_found', 'forbidden', 'taken'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/projects/:id/watches/:watchId',
    summary: 'Stop watching a folder; published builds stay',
    access: 'window',
    input: ofWatch,
    reply: z.object({}),
    errors: ['not_found', 'forbidden'],
  }),
}
