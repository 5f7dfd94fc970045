import { z } from 'zod'
import { endpoint } from '../endpoint'
import { packageFields, warnings } from './facts'
import {
  describe,
  fileAbilities,
  fileId,
  filename,
  id,
  isPublic,
  line,
  page,
  projectId,
  sha256,
  targetProject,
  time,
  uploadChannel,
} from '../fields'
import { fileDownloads } from './file-downloads'
import { fileFacts } from './file-facts'
import { fileOrders } from './file-orders'
import { manyIds, manyOutcome } from '../many'

export const fileSchema = z.object({
  file_id: id,
  filename: z.string(),
  size: z.int().nonnegative(),
  visibility: z.enum(['public', 'private']),
  is_public: z.boolean(),
  uploaded_at: time,
  owner: z.string(),
  /** 64 hexadecimal digits. */
  sha256: z.string(),
  version: z.string().nullable(),
  ...packageFields,
  /** Complete downloads, once per visitor within 30 minutes. */
  downloads: z.int().nonnegative(),
  /** Up to 5 projects that have it and that its owner sees, the latest first; empty for others. */
  projects: z.array(
    z.object({ project_id: id, title: z.string(), version: z.string().nullable() }),
  ),
  /** Who sent it to a file request, for its owner; null: the owner uploaded it. */
  received: z
    .object({
      /** As the sender wrote it. */
      from: z.string(),
      message: z.string(),
      /** The name of the file request. */
      request: z.string(),
      is_new: z.boolean(),
    })
    .nullable(),
  can: fileAbilities,
  /**
   * State of the public copy in the bucket; null for callers who may not update the file.
   * `damaged`: the bytes on disk differ from the upload. `revoking`: the copy is being deleted.
   * `late`: deleting it failed, so clients may still load it. `failed`: copying has failed for a
   * day.
   */
  mirror: z.enum(['copying', 'there', 'revoking', 'damaged', 'late', 'failed']).nullable(),
})
export type File = z.infer<typeof fileSchema>

export const releaseFields = {
  version: describe(
    line(64).nullish(),
    'The version of this build, such as 1.4.0; defaults to that of the package or filename',
    '1.4.0',
  ),
  platform: describe(
    line(32).nullish(),
    'The target platform, such as Android; defaults to that of the package',
    'Android',
  ),
}

const strict = z
  .stringbool('Use true or false')
  .default(false)
  .describe('Whether to reject a build with warnings and keep nothing')

/** For a preview of the project, whose call `previews.put` names the file. */
export const forPreview = z
  .stringbool('Use true or false')
  .default(false)
  .describe(
    'Whether the file is for a preview of the project: private, without version, platform, ' +
      'channel and strict',
  )

/** Strict: a misspelled field would publish the build elsewhere. */
const uploadSchema = z.strictObject({
  is_public: z
    .stringbool('Use true or false')
    .default(false)
    .describe('Whether everyone may see and download it'),
  project_id: targetProject,
  ...releaseFields,
  channel: uploadChannel,
  for_preview: forPreview,
  strict,
  /** Same as the digest headers, for clients that send fields only. */
  sha256: describe(
    sha256.nullish(),
    'The SHA-256 of the file as 64 hexadecimal digits; a file that differs is rejected',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
})

const rawUploadSchema = z.strictObject({
  filename: describe(
    filename('Add the filename at the end of the address'),
    'The filename; invisible characters are removed',
    'lantern-1.4.0.apk',
  ),
  is_public: uploadSchema.shape.is_public,
  project_id: targetProject,
  ...releaseFields,
  channel: uploadChannel,
  for_preview: forPreview,
  strict,
  sha256: uploadSchema.shape.sha256,
})

const uploadHeaders = z.object({
  /** RFC 9530 §3: `sha-256=:<base64>:`. A file with another digest is rejected. */
  'repr-digest': z
    .string()
    .optional()
    .meta({
      description:
        'The SHA-256 of the file, as sha-256=:…: in base64; a file that differs is rejected',
      examples: ['sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:'],
    }),
  'x-content-sha256': z
    .string()
    .optional()
    .meta({
      description: 'The same as 64 hexadecimal digits',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  /**
   * draft-ietf-httpapi-idempotency-key-header: a retry gets the reply of the first request while
   * its file exists.
   */
  'idempotency-key': z
    .string()
    .optional()
    .meta({
      description:
        'For a day, a retry with the same key gets the reply of the first upload and stores ' +
        'nothing, while its file exists',
      examples: ['build-1842'],
    }),
})

const uploadErrors = [
  'quota_exceeded',
  'forbidden',
  'not_found',
  'length_required',
  'too_large',
  'unsupported_media_type',
  'digest_mismatch',
  'in_progress',
  'key_reused',
  'build_mismatch',
  'read_only',
  'disk_full',
] as const

const uploaded = z.object({ message: z.string(), file_id: id, file: fileSchema, warnings })

const byId = z.object({ id: fileId })
const search = describe(line(200).optional(), 'Only files with this text in their name', 'lantern')

export const files = {
  upload: endpoint('POST', '/api/files/upload', {
    summary: 'Upload a file, and optionally add it to a project',
    access: 'user',
    input: uploadSchema,
    headers: uploadHeaders,
    body: 'multipart',
    boundKeys: true,
    reply: uploaded,
    status: 201,
    errors: ['file_missing', ...uploadErrors],
  }),
  put: endpoint('PUT', '/api/files/upload/:filename', {
    summary: 'Upload the raw bytes of a file, for example with curl -T',
    access: 'user',
    input: rawUploadSchema,
    headers: uploadHeaders,
    body: 'bytes',
    boundKeys: true,
    reply: uploaded,
    status: 201,
    errors: uploadErrors,
  }),
  mine: endpoint('GET', '/api/files/my-files', {
    summary: 'Your files, newest first unless you sort them',
    access: 'user',
    heavy: true,
    input: z.object({
      visibility: describe(
        z.enum(['all', 'public', 'private']).default('all'),
        'Only the files of this visibility',
        'public',
      ),
      received: describe(
        z.stringbool('Use true or false').default(false),
        'Whether to list only files that people sent to your file requests',
        'true',
      ),
      search,
      project_id: describe(projectId.optional(), 'Only the files of this project', 'p7Kd2mXw9RtA'),
      sort: describe(z.enum(fileOrders).default('newest'), 'The order of the files', 'name'),
      ...page,
    }),
    reply: z.object({ files: z.array(fileSchema), total: z.int() }),
  }),
  listPublic: endpoint('GET', '/api/files/public', {
    summary: 'Public files, newest first',
    access: 'anyone',
    heavy: true,
    sameForVisitors: true,
    input: z.object({ search, ...page }),
    reply: z.object({ files: z.array(fileSchema), total: z.int() }),
  }),
  info: endpoint('GET', '/api/files/:id', {
    summary: 'One file',
    access: 'anyone',
    input: byId,
    reply: z.object({ file: fileSchema }),
    errors: ['not_found'],
  }),
  ...fileDownloads,
  ...fileFacts,
  setVisibility: endpoint('PUT', '/api/files/:id/visibility', {
    summary: 'Make a file public or private',
    access: 'user',
    input: z.object({ id: fileId, is_public: isPublic }),
    reply: z.object({ file: fileSchema }),
    errors: ['not_found', 'forbidden', 'too_large'],
  }),
  remove: endpoint('DELETE', '/api/files/:id', {
    summary: 'Delete a file, also from every project',
    access: 'user',
    input: byId,
    errors: ['not_found', 'forbidden'],
  }),
  setVisibilityOfMany: endpoint('PUT', '/api/files/visibility', {
    summary: 'Make several files public or private; the reply has a result for each',
    access: 'user',
    input: z.object({
      file_ids: describe(manyIds, 'The ids of the files', ['f4Tn8cWq2ZpL']),
      is_public: isPublic,
    }),
    reply: manyOutcome,
  }),
  removeMany: endpoint('POST', '/api/files/delete', {
    summary: 'Delete several files, also from every project; the reply has a result for each',
    access: 'user',
    input: z.object({ file_ids: describe(manyIds, 'The ids of the files', ['f4Tn8cWq2ZpL']) }),
    reply: manyOutcome,
  }),
}
