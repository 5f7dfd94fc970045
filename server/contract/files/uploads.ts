import { z } from 'zod'
import { endpoint } from '../endpoint'
import { warnings } from './facts'
import { forPreview, releaseFields } from './files'
import {
  describe,
  filename,
  id,
  idOrSlug,
  isPublic,
  page,
  sha256,
  targetProject,
  text,
  time,
  uploadChannel,
} from '../fields'

/**
 * A resumable upload. Finished ones can be read until they expire; lists have unfinished ones only.
 */
export const unfinishedUploadSchema = z.object({
  upload_id: id,
  filename: z.string(),
  size: z.int().positive(),
  /** Bytes safely on disk: where to resume. */
  offset: z.int().nonnegative(),
  created_at: time,
  /** Expiry, if no more bytes arrive. */
  expires_at: time,
  is_public: z.boolean(),
  /** Project to link the file to. */
  project_id: id.nullable(),
  version: z.string().nullable(),
  platform: z.string().nullable(),
  /** Value from the sender that identifies the same file. */
  fingerprint: z.string().nullable(),
  /** The published file; null: unfinished. */
  file_id: id.nullable(),
  /**
   * Whether the file was linked to the project. False if the project was deleted; null if
   * unfinished, or without a project.
   */
  linked: z.boolean().nullable(),
  /** Warnings about the published file. */
  warnings,
})
export type UnfinishedUpload = z.infer<typeof unfinishedUploadSchema>

/** Known keys of `Upload-Metadata`, in base64; other keys are stored and returned. */
export const uploadMetadataSchema = z.object({
  filename: filename('Name the file in Upload-Metadata (filename)'),
  is_public: z.stringbool('Use true or false').default(false),
  /** Id or slug; the complete file is linked to it. */
  project_id: idOrSlug.or(z.literal('')).nullish(),
  ...releaseFields,
  channel: uploadChannel,
  for_preview: forPreview,
  strict: z.stringbool('Use true or false').default(false),
  sha256: sha256.nullish(),
  fingerprint: text(512).nullish(),
  /** A zip to import, which may be larger than the largest file. */
  for_import: z.stringbool('Use true or false').default(false),
})

const bytes = z.string().regex(/^\d{1,15}$/, 'Use a number of bytes')
const bytesType = describe(
  z.literal('application/offset+octet-stream', 'Send application/offset+octet-stream'),
  'application/offset+octet-stream',
  'application/offset+octet-stream',
)
const version = describe(z.literal('1.0.0'), 'The version of the protocol, 1.0.0', '1.0.0')
const byId = z.object({ id: describe(id, 'The id of the upload', 'w6Jc3sEy8HzA') })

/** Request headers of tus. `pairs`: what `Upload-Metadata` contains. */
export const tusHeaders = {
  create: (pairs: string) =>
    z.object({
      'tus-resumable': version,
      'upload-length': describe(bytes, 'The size of the file in bytes', '44879052'),
      'upload-metadata': describe(
        z.string('Name the file in Upload-Metadata (filename)').max(8192),
        pairs,
        'filename bGFudGVybi0xLjQuMC5hcGs=',
      ),
    }),
  append: z.object({
    'tus-resumable': version,
    'content-type': bytesType,
    'upload-offset': describe(bytes, 'Where the upload resumes, in bytes', '0'),
  }),
}

/**
 * Resumable uploads by tus 1.0.0, https://tus.io/protocols/resumable-upload. HEAD answers like GET,
 * without a body.
 */
export const uploads = {
  protocol: endpoint('OPTIONS', '/api/uploads', {
    summary:
      'The supported version, extensions and size of tus, in the headers Tus-Version, ' +
      'Tus-Extension, Tus-Max-Size',
    access: 'anyone',
    input: z.object({}),
    status: 204,
  }),
  create: endpoint('POST', '/api/uploads', {
    summary: 'Start a resumable upload (tus 1.0); its address is in the Location header',
    access: 'user',
    scope: 'upload',
    boundKeys: true,
    input: z.object({}),
    headers: tusHeaders.create(
      'Pairs of a name and base64: filename, is_public, project_id, version, platform, ' +
        'channel, sha256, fingerprint, for_preview, for_import',
    ),
    reply: z.object({ upload: unfinishedUploadSchema }),
    status: 201,
    errors: [
      'quota_exceeded',
      'too_many_records',
      'forbidden',
      'not_found',
      'precondition_failed',
      'too_large',
      'read_only',
      'disk_full',
    ],
  }),
  list: endpoint('GET', '/api/uploads', {
    summary: 'Your unfinished uploads, newest first',
    access: 'user',
    heavy: true,
    scope: 'upload',
    boundKeys: true,
    input: z.object({ ...page }),
    reply: z.object({ uploads: z.array(unfinishedUploadSchema), total: z.int() }),
  }),
  info: endpoint('GET', '/api/uploads/:id', {
    summary:
      'The progress of an upload; the header Upload-Offset contains the offset to resume ' +
      'from, also for HEAD',
    access: 'user',
    scope: 'upload',
    boundKeys: true,
    input: byId,
    reply: z.object({ upload: unfinishedUploadSchema }),
    errors: ['not_found', 'gone', 'precondition_failed'],
  }),
  append: endpoint('PATCH', '/api/uploads/:id', {
    summary:
      'Resume an upload at its offset; after the last byte, Slipway-File-Id names the file ' +
      'and Slipway-Warnings any warnings',
    access: 'user',
    boundKeys: true,
    input: byId,
    headers: tusHeaders.append,
    body: 'bytes',
    status: 204,
    errors: [
      'not_found',
      'gone',
      'offset_mismatch',
      'locked',
      'precondition_failed',
      'too_large',
      'unsupported_media_type',
      'digest_mismatch',
      'build_mismatch',
      'read_only',
      'disk_full',
    ],
  }),
  change: endpoint('PUT', '/api/uploads/:id', {
    summary:
      'Change the fields of an unfinished upload; interrupts a request that sends its bytes, ' +
      'which can be resumed',
    access: 'user',
    scope: 'upload',
    boundKeys: true,
    input: byId.extend({ is_public: isPublic, project_id: targetProject, ...releaseFields }),
    reply: z.object({ upload: unfinishedUploadSchema }),
    errors: ['not_found', 'forbidden', 'gone', 'locked'],
  }),
  discard: endpoint('DELETE', '/api/uploads/:id', {
    summary: 'Cancel an upload, even a running one; a finished file stays',
    access: 'user',
    scope: 'upload',
    boundKeys: true,
    input: byId,
    status: 204,
    errors: ['not_found', 'locked', 'precondition_failed'],
  }),
}
