import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, fileId, id, line, projectId, time } from '../fields'
import { PREVIEW_BUILDS, PREVIEW_DAYS, PREVIEW_FILES_MAX, PREVIEW_TITLE_MAX } from '../limits'

/**
 * A page for the builds of a pull request or branch, with one address as long as it lives. Its
 * builds are no releases: only this page has them.
 */
export const previewSchema = z.object({
  preview_id: id,
  name: z.string(),
  title: z.string(),
  /** The page of the pull request. */
  request_url: z.string().nullable(),
  /** The page for people without an account. Null: the host can no longer read its address. */
  url: z.string().nullable(),
  created_at: time,
  expires_at: time,
  /** The number of builds that stay. */
  keep: z.int(),
  /** Newest first. */
  builds: z.array(
    z.object({
      number: z.int().positive(),
      commit: z.string().nullable(),
      created_at: time,
      files: z.array(z.object({ file_id: id, filename: z.string(), size: z.int().nonnegative() })),
    }),
  ),
  /** Page views and file downloads. */
  opens: z.int(),
  downloads: z.int(),
})
export type Preview = z.infer<typeof previewSchema>

const previewName = describe(
  z
    .string()
    .max(60, 'Use at most 60 characters')
    .regex(
      /^[a-z0-9]+([._-][a-z0-9]+)*$/,
      'Use lower-case letters and digits, and single dots, hyphens or underscores between them',
    ),
  'The name of the preview, such as the number of the pull request',
  'pr-128',
)

const days = `Choose 1 to ${PREVIEW_DAYS.most} days`
const keep = `Keep 1 to ${PREVIEW_BUILDS.most} builds`

const ofProject = z.object({ id: projectId })
const ofPreview = ofProject.extend({ name: previewName })
const errors = ['not_found', 'forbidden'] as const

export const previews = {
  list: endpoint('GET', '/api/projects/:id/previews', {
    summary: 'The previews of a project, newest first, with their addresses',
    access: 'user',
    // The addresses give access to private builds, as no other reply of a reading key does.
    scope: 'upload',
    boundKeys: true,
    input: ofProject,
    reply: z.object({ previews: z.array(previewSchema) }),
    errors,
  }),
  put: endpoint('PUT', '/api/projects/:id/previews/:name', {
    summary:
      'Create or update a preview; with file_ids it gets a new build, from files that were ' +
      'uploaded with for_preview. The address stays the same until the preview ends',
    access: 'user',
    scope: 'upload',
    boundKeys: true,
    input: ofPreview.extend({
      file_ids: describe(
        z
          .array(fileId)
          .min(1, 'Name at least one file')
          .max(PREVIEW_FILES_MAX, `Use at most ${PREVIEW_FILES_MAX} files`)
          .optional(),
        'The files of the new build; the same files as before are no new build',
        ['f4Tn8cWq2ZpL'],
      ),
      title: describe(
        line(PREVIEW_TITLE_MAX).optional(),
        'What the preview is of, such as the title of the pull request',
        'Fix the lantern on slow phones',
      ),
      request_url: describe(
        z
          .url({ protocol: /^https?$/, error: 'Enter an address with http or https' })
          .max(500, 'Use at most 500 characters')
          .nullish(),
        'The page of the pull request',
        'https://git.example.com/lea/lantern/pulls/128',
      ),
      commit: describe(
        z
          .string()
          .regex(/^[0-9a-f]{7,64}$/i, 'Send 7 to 64 hexadecimal digits')
          .nullish(),
        'The commit of the build',
        '9c1185a5c5e9fc54612808977ee8f548b2258d31',
      ),
      days: describe(
        z.int(days).min(1, days).max(PREVIEW_DAYS.most, days).optional(),
        `The days until it ends, from now; default for a new one: ${PREVIEW_DAYS.usual}`,
        14,
      ),
      keep: describe(
        z.int(keep).min(1, keep).max(PREVIEW_BUILDS.most, keep).optional(),
        `The builds that stay; older ones go to the trash. Default: ${PREVIEW_BUILDS.usual}`,
        2,
      ),
      preview_id: describe(
        id.optional(),
        'Update only this preview; if it has ended meanwhile, the call fails',
        'v7Ba2mKx9QsD',
      ),
    }),
    reply: z.object({ preview: previewSchema }),
    errors: [...errors, 'too_many_records', 'gone'],
  }),
  end: endpoint('DELETE', '/api/projects/:id/previews/:name', {
    summary: 'End a preview at once; its builds move to the trash',
    access: 'user',
    scope: 'upload',
    boundKeys: true,
    input: ofPreview,
    errors,
  }),
}
