import { z } from 'zod'
import { endpoint } from './endpoint'
import { packageFields, warnings } from './facts'
import { fileAbilities, filename, id, idOrSlug, line, page, sha256, time } from './fields'
import { fileDownloads } from './file-downloads'
import { fileFacts } from './file-facts'
import { manyIds, manyOutcome } from './many'

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
  can: fileAbilities,
  /**
   * The copy in the bucket, for those who may update the file; else null. `damaged`: the bytes on disk are not those that
   * were uploaded. `revoking`: the copy is being deleted. `late`: it could not be deleted yet, so it may still be loaded.
   * `failed`: copying has failed for a day.
   */
  mirror: z.enum(['copying', 'there', 'revoking', 'damaged', 'late', 'failed']).nullable(),
})
export type File = z.infer<typeof fileSchema>

export const releaseFields = {
  version: line(64).nullish(),
  platform: line(32).nullish(),
}

/** Reject the file if there is any warning about it, and keep nothing. */
const strict = z.stringbool('Use true or false').default(false)

const uploadSchema = z.object({
  is_public: z.stringbool('Use true or false').default(false),
  /** Links the file to this project (id or slug) in the same call. */
  project_id: idOrSlug.nullish(),
  ...releaseFields,
  strict,
  /** Same as the digest headers, for clients that send fields only. */
  sha256: sha256.nullish(),
})

const rawUploadSchema = z.object({
  filename: filename('Add the filename at the end of the address'),
  is_public: uploadSchema.shape.is_public,
  /** Links the file to this project (id or slug) in the same call. */
  project_id: idOrSlug.nullish(),
  ...releaseFields,
  strict,
  sha256: uploadSchema.shape.sha256,
})

const uploadHeaders = z.object({
  /** RFC 9530 §3: `sha-256=:<base64>:`. A file with another digest is rejected. */
  'repr-digest': z.string().optional(),
  /** The same as 64 hexadecimal digits. */
  'x-content-sha256': z.string().optional(),
  /** draft-ietf-httpapi-idempotency-key-header: a retry gets the reply of the first request. */
  'idempotency-key': z.string().optional(),
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

const byId = z.object({ id })
const search = line(200).optional()

export const files = {
  upload: endpoint({
    method: 'POST',
    path: '/api/files/upload',
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
  put: endpoint({
    method: 'PUT',
    path: '/api/files/upload/:filename',
    summary: 'Upload the bytes of a file as they are, with one curl -T',
    access: 'user',
    input: rawUploadSchema,
    headers: uploadHeaders,
    body: 'bytes',
    boundKeys: true,
    reply: uploaded,
    status: 201,
    errors: uploadErrors,
  }),
  mine: endpoint({
    method: 'GET',
    path: '/api/files/my-files',
    summary: 'Your files, newest first',
    access: 'user',
    heavy: true,
    input: z.object({ visibility: z.enum(['all', 'public', 'private']).default('all'), search, ...page }),
    reply: z.object({ files: z.array(fileSchema), total: z.int() }),
    errors: [],
  }),
  listPublic: endpoint({
    method: 'GET',
    path: '/api/files/public',
    summary: 'Public files, newest first',
    access: 'anyone',
    heavy: true,
    input: z.object({ search, ...page }),
    reply: z.object({ files: z.array(fileSchema), total: z.int() }),
    errors: [],
  }),
  info: endpoint({
    method: 'GET',
    path: '/api/files/:id',
    summary: 'One file',
    access: 'anyone',
    input: byId,
    reply: z.object({ file: fileSchema }),
    errors: ['not_found'],
  }),
  ...fileDownloads,
  ...fileFacts,
  setVisibility: endpoint({
    method: 'PUT',
    path: '/api/files/:id/visibility',
    summary: 'Make a file public or private',
    access: 'user',
    input: z.object({ id, is_public: z.boolean('Use true or false') }),
    reply: z.object({ file: fileSchema }),
    errors: ['not_found', 'forbidden'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/files/:id',
    summary: 'Delete a file, also from every project',
    access: 'user',
    input: byId,
    reply: z.object({}),
    errors: ['not_found', 'forbidden'],
  }),
  setVisibilityOfMany: endpoint({
    method: 'PUT',
    path: '/api/files/visibility',
    summary: 'Make several files public or private; the reply has a result for each',
    access: 'user',
    input: z.object({ file_ids: manyIds, is_public: z.boolean('Use true or false') }),
    reply: manyOutcome,
    errors: [],
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/api/files/delete',
    summary: 'Delete several files, also from every project; the reply has a result for each',
    access: 'user',
    input: z.object({ file_ids: manyIds }),
    reply: manyOutcome,
    errors: [],
  }),
}
