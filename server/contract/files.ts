import { z } from 'zod'
import { endpoint } from './endpoint'
import { id, idOrSlug, page, text, time } from './fields'

export const fileSchema = z.object({
  file_id: id,
  filename: z.string(),
  /** Bytes. */
  size: z.int().nonnegative(),
  visibility: z.enum(['public', 'private']),
  is_public: z.boolean(),
  uploaded_at: time,
  owner: z.string(),
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  sha256: z.string(),
  version: z.string().nullable(),
  /** Whole downloads, once per visitor within 30 minutes. */
  downloads: z.int().nonnegative(),
  /** What the caller may do with it. */
  can: z.array(z.enum(['read', 'update', 'delete'])),
})
export type File = z.infer<typeof fileSchema>

/** What a release of a file carries beside its bytes. */
export const releaseFields = {
  version: text(64).nullish(),
  platform: text(32).nullish(),
}

const uploadSchema = z.object({
  is_public: z.stringbool('Use true or false').default(false),
  /** Links the file to this project (id or slug) in the same call. */
  project_id: idOrSlug.nullish(),
  ...releaseFields,
})

const byId = z.object({ id })
const search = text(200).optional()

export const files = {
  upload: endpoint({
    method: 'POST',
    path: '/api/files/upload',
    summary: 'Upload a file, and optionally add it to a project',
    access: 'user',
    input: uploadSchema,
    body: 'multipart',
    boundKeys: true,
    reply: z.object({ message: z.string(), file_id: id, file: fileSchema }),
    status: 201,
    errors: [
      'file_missing',
      'quota_exceeded',
      'forbidden',
      'not_found',
      'length_required',
      'too_large',
      'unsupported_media_type',
      'read_only',
      'disk_full',
    ],
  }),
  mine: endpoint({
    method: 'GET',
    path: '/api/files/my-files',
    summary: 'Your files, newest first',
    access: 'user',
    input: z.object({ visibility: z.enum(['all', 'public', 'private']).default('all'), search, ...page }),
    reply: z.object({ files: z.array(fileSchema), total: z.int() }),
    errors: [],
  }),
  listPublic: endpoint({
    method: 'GET',
    path: '/api/files/public',
    summary: 'Public files, newest first',
    access: 'anyone',
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
  download: endpoint({
    method: 'GET',
    path: '/api/files/:id/download',
    summary: 'Download a file',
    access: 'anyone',
    input: byId,
    reply: z.object({}),
    download: true,
    errors: ['not_found', 'precondition_failed', 'range_not_satisfiable'],
  }),
  downloadPublic: endpoint({
    method: 'GET',
    path: '/api/files/public/:username/:file_id/download',
    summary: 'Download a public file of a user',
    access: 'anyone',
    input: z.object({ username: z.string(), file_id: id }),
    reply: z.object({}),
    download: true,
    errors: ['not_found', 'precondition_failed', 'range_not_satisfiable'],
  }),
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
}
