import { z } from 'zod'
import { downloadErrors, endpoint } from './endpoint'
import { describe, fileId, id, projectId } from './fields'
import { problemSchema } from './problem'

/** What an export contains. */
const exportSummarySchema = z.object({
  filename: z.string(),
  /** The exact length of the zip, in bytes. */
  size: z.int().nonnegative(),
  projects: z.int(),
  releases: z.int(),
  posts: z.int(),
  reports: z.int(),
  pictures: z.int(),
  files: z.int(),
  is_importable: z
    .boolean()
    .describe('Whether a host imports it: false for more than 100,000 entries, or 32 MB of texts'),
})
export type ExportSummary = z.infer<typeof exportSummarySchema>

/** Progress of an import. The last event has the result or an error. */
const importProgressSchema = z.object({
  /** Bytes of files and pictures that were copied and verified. */
  bytes: z.int().nonnegative(),
  size: z.int().nonnegative(),
  result: z
    .object({
      files: z.int(),
      projects: z.array(
        z.object({
          project_id: id,
          title: z.string(),
          /** Its address, and the one before: they differ where that was taken. */
          slug: z.string(),
          exported_slug: z.string(),
        }),
      ),
    })
    .nullable(),
  problem: problemSchema.nullable(),
})
export type ImportProgress = z.infer<typeof importProgressSchema>

/** Exports and imports (docs/export.md). */
export const exports = {
  summary: endpoint('GET', '/api/account/export/summary', {
    summary: 'What an export of your account contains, and its length in bytes',
    access: 'user',
    heavy: true,
    input: z.object({}),
    reply: z.object({ export: exportSummarySchema }),
  }),
  account: endpoint('GET', '/api/account/export', {
    summary:
      'Everything of yours as one zip that can be resumed: projects, releases, news, pictures ' +
      'and files. A request with If-Range starts over if something has changed meanwhile',
    access: 'user',
    heavy: true,
    input: z.object({}),
    download: true,
    errors: ['precondition_failed', 'range_not_satisfiable', 'too_many_requests'],
  }),
  project: endpoint('GET', '/api/projects/:id/export', {
    summary: 'One project as such a zip, with the files that you may read; for its team',
    access: 'user',
    heavy: true,
    boundKeys: true,
    input: z.object({ id: projectId }),
    download: true,
    errors: [...downloadErrors, 'forbidden'],
  }),
  import: endpoint('POST', '/api/account/import', {
    summary:
      'Import an export that you uploaded as a private file, whole or not at all, with events of ' +
      'the type `progress`; closing the connection cancels it. Then the zip moves to the trash',
    access: 'user',
    input: z.object({
      file_id: fileId,
      as_copy: describe(
        z.boolean('Use true or false').default(false),
        'Whether to import projects and files that you already have a second time',
        false,
      ),
    }),
    reply: importProgressSchema,
    events: true,
    errors: [
      'not_found',
      'forbidden',
      'taken',
      'too_many_records',
      'too_large',
      'busy',
      'disk_full',
    ],
  }),
}
