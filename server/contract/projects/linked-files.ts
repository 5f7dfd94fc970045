import { z } from 'zod'
import { downloadErrors, replyErrors, endpoint } from '../endpoint'
import { buildWarningSchema, packageFields, warnings } from '../files/facts'
import {
  describe,
  downloadInput,
  fileId,
  id,
  namedDownload,
  projectId,
  releaseStates,
  time,
} from '../fields'
import { releaseFields } from '../files/files'
import { manyIds, manyOutcome } from '../many'

/** A file that a project offers, addressed by `file_id` within the project. */
export const linkedFileSchema = z.object({
  file_id: id,
  filename: z.string(),
  version: z.string().nullable(),
  platform: z.string().nullable(),
  ...packageFields,
  size: z.int().nonnegative(),
  downloads: z.int().nonnegative(),
  added_at: time,
  /** Release of its version. Null for a file without a version. */
  release: z
    .object({ version: z.string(), channel: z.string(), state: z.enum(releaseStates) })
    .nullable(),
  is_public: z.boolean(),
  sha256: z.string(),
  can: z.array(z.enum(['read', 'unlink', 'publish', 'share'])),
})
export type LinkedFile = z.infer<typeof linkedFileSchema>

/** Rejects a file if there is any warning about it. */
const strict = z
  .boolean('Use true or false')
  .default(false)
  .describe('Whether to reject a build with warnings and keep nothing')

const byId = z.object({ id: projectId })
const linkPath = z.object({ id: projectId, downloadId: fileId })

export const linkedFiles = {
  link: endpoint('POST', '/api/projects/:id/downloads', {
    summary:
      'Add one of your files to a project; in the project of another person it then belongs ' +
      'to them',
    access: 'user',
    input: byId.extend({ file_id: fileId, ...releaseFields, strict }),
    reply: z.object({ download: linkedFileSchema, warnings }),
    status: 201,
    errors: [
      'not_found',
      'forbidden',
      'taken',
      'build_mismatch',
      'in_use',
      'quota_exceeded',
      'too_large',
    ],
  }),
  linkMany: endpoint('POST', '/api/projects/:id/downloads/many', {
    summary: 'Add several of your files to a project; the reply has a result for each',
    access: 'user',
    input: byId.extend({
      file_ids: describe(manyIds, 'The ids of the files', ['f4Tn8cWq2ZpL']),
      ...releaseFields,
      strict,
    }),
    reply: manyOutcome.extend({
      /** About the files that were added, each with the id of its file. */
      warnings: z.array(buildWarningSchema.extend({ id })),
    }),
    errors: ['not_found', 'forbidden'],
  }),
  unlink: endpoint('DELETE', '/api/projects/:id/downloads/:downloadId', {
    summary: 'Remove a file from a project; the file is not deleted',
    access: 'user',
    boundKeys: true,
    input: linkPath,
    errors: ['not_found', 'forbidden'],
  }),
  download: endpoint('GET', '/api/projects/:id/downloads/:downloadId/download', {
    summary: 'Download a file of a project',
    access: 'anyone',
    boundKeys: true,
    input: linkPath.extend(downloadInput),
    download: true,
    errors: downloadErrors,
  }),
  latest: endpoint('GET', '/api/projects/:id/latest/:filename', {
    summary:
      'Download the newest public file of this name, at a permanent address for updaters and ' +
      'scripts',
    access: 'anyone',
    boundKeys: true,
    input: byId.extend({
      ...namedDownload,
    }),
    download: true,
    errors: downloadErrors,
  }),
  downloadAll: endpoint('GET', '/api/projects/:id/download', {
    summary: 'Download all files of a project that you may see, as one zip that can be resumed',
    access: 'anyone',
    heavy: true,
    boundKeys: true,
    input: byId,
    download: true,
    errors: downloadErrors,
  }),
  checksums: endpoint('GET', '/api/projects/:id/SHA256SUMS', {
    summary: 'The SHA-256 of each of these files, as `sha256sum -c` reads it',
    access: 'anyone',
    heavy: true,
    boundKeys: true,
    input: byId,
    download: true,
    errors: replyErrors,
  }),
}
