import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, filename, id, idOrSlug, line, requestToken, text } from '../fields'
import { FILE_REQUEST_DAYS, REQUESTED_FILES, REQUESTED_KINDS_MAX } from '../limits'
import {
  changedPassword,
  enteredPassword,
  linkEnd,
  linkPassword,
  ownedLinkSchema,
} from '../link-fields'
import { tusHeaders } from './uploads'

/** A link by which people without an account send files to its owner, until a date. */
export const fileRequestSchema = ownedLinkSchema.extend({
  request_id: id,
  most_files: z.int(),
  /** Null: no limit but the storage of the owner. */
  most_bytes: z.int().nullable(),
  /** The endings that names of files may have, in lower case, without a dot; empty: any. */
  kinds: z.array(z.string()),
  /** The project whose webhooks hear of each file; null: none. */
  project_id: id.nullable(),
  /** What has arrived. */
  files: z.int(),
  bytes: z.int(),
})
export type FileRequest = z.infer<typeof fileRequestSchema>

const ofRequest = z.object({
  requestId: describe(id, 'The id of the file request', 'r2Vb9kXq4LmS'),
})
const oneRequest = z.object({ file_request: fileRequestSchema })
const requestName = line(60).min(1, 'Say what you ask for')
const mostFiles = z
  .int('Use a whole number')
  .min(1, 'Allow at least 1 file')
  .max(REQUESTED_FILES.most, `Allow at most ${REQUESTED_FILES.most} files`)
const mostBytes = z.int('Use a whole number of bytes').min(1, 'Allow at least 1 byte')
const projectId = idOrSlug.nullish()
const kinds = z
  .array(z.string().max(50))
  .max(REQUESTED_KINDS_MAX, `Name at most ${REQUESTED_KINDS_MAX} endings`)
  .overwrite((names) => [
    ...new Set(names.map((it) => it.trim().toLowerCase().replace(/^\.+/, ''))),
  ])
  .refine(
    (names) => names.every((name) => /^[a-z\d][a-z\d.+_-]{0,19}$/.test(name)),
    'Use endings of names, such as zip or sav',
  )
  .optional()

export const fileRequestFieldsSchema = z.object({
  name: describe(requestName, 'What you ask for; senders see it', 'Save games'),
  expires_at: linkEnd(FILE_REQUEST_DAYS.usual),
  password: linkPassword,
  most_files: describe(
    mostFiles.default(REQUESTED_FILES.usual),
    'The files after which the link ends',
    10,
  ),
  most_bytes: describe(
    mostBytes.nullish(),
    'The bytes that all files together may have; default: no limit but half of your storage',
    500_000_000,
  ),
  kinds: describe(
    kinds,
    'The endings that names of files may have, such as `sav`; empty or left out: any',
    ['sav', 'zip'],
  ),
  project_id: describe(
    projectId,
    'One of your projects, by id or slug: its webhooks hear of each file (`file.received`)',
    'lantern',
  ),
})
const fields = fileRequestFieldsSchema.shape

/** What a sender says about a file. */
export const senderSchema = z.object({
  from: describe(line(60).min(1, 'Enter your name'), 'The name of the sender', 'Kim'),
  message: describe(text(500).default(''), 'A message to the owner', 'The crash is in level 3.'),
})

/** Known keys of `Upload-Metadata`, in base64. */
export const sentMetadataSchema = senderSchema.extend({
  filename: filename('Name the file in Upload-Metadata (filename)'),
})

const ofSender = z.object({ requestToken })
const ofUpload = ofSender.extend({
  uploadId: describe(id, 'The id of the upload to a file request', 'w3Fp8rTz5NcD'),
})
/** `not_found` for each link that takes nothing, so that it does not tell why. */
const openErrors = ['not_found', 'too_many_requests', 'busy'] as const
const startErrors = [
  ...openErrors,
  'too_many_records',
  'quota_exceeded',
  'too_large',
  'read_only',
  'disk_full',
] as const

export const fileRequests = {
  list: endpoint('GET', '/api/file-requests', {
    summary:
      'Your file requests, newest first, with their addresses, and how many received files are ' +
      'new',
    access: 'user',
    // The addresses let people use your storage.
    scope: 'manage',
    input: z.object({}),
    reply: z.object({
      file_requests: z.array(fileRequestSchema),
      /** The files of people without an account that you have, and those since you looked. */
      received_files: z.int(),
      new_files: z.int(),
    }),
  }),
  create: endpoint('POST', '/api/file-requests', {
    summary: 'Create a file request, by which people without an account send you files',
    access: 'user',
    input: fileRequestFieldsSchema,
    reply: oneRequest,
    status: 201,
    errors: ['not_found', 'forbidden', 'too_many_records', 'busy'],
  }),
  update: endpoint('PUT', '/api/file-requests/:requestId', {
    summary:
      'Change a file request; fields that are left out keep their value, and a password, a limit ' +
      'of bytes or a project of null is removed',
    access: 'user',
    input: ofRequest.extend({
      name: describe(requestName.optional(), 'What you ask for; senders see it', 'Save games'),
      expires_at: fields.expires_at,
      password: changedPassword,
      most_files: describe(mostFiles.optional(), 'The files after which the link ends', 10),
      most_bytes: fields.most_bytes,
      kinds: fields.kinds,
      project_id: fields.project_id,
    }),
    reply: oneRequest,
    errors: ['not_found', 'forbidden', 'busy'],
  }),
  renew: endpoint('POST', '/api/file-requests/:requestId/address', {
    summary: 'Give a file request a new address; the old one and its uploads end at once',
    access: 'user',
    input: ofRequest,
    reply: oneRequest,
    errors: ['not_found'],
  }),
  end: endpoint('DELETE', '/api/file-requests/:requestId', {
    summary: 'End a file request at once with its uploads; files that have arrived stay',
    access: 'user',
    input: ofRequest,
    errors: ['not_found'],
  }),
  markSeen: endpoint('POST', '/api/file-requests/seen', {
    summary: 'Mark all received files as seen',
    access: 'user',
    input: z.object({}),
  }),
  unlock: endpoint('POST', '/u/:requestToken/unlock', {
    summary:
      'Send the password of a file request, as JSON or a form; sets a cookie for its addresses',
    access: 'anyone',
    input: ofSender.extend({ password: enteredPassword }),
    status: 302,
    errors: openErrors,
  }),
  send: endpoint('POST', '/u/:requestToken/files', {
    summary: 'Send one file to the owner of a file request; redirects to a confirmation',
    access: 'anyone',
    input: ofSender.extend(senderSchema.shape),
    body: 'multipart',
    status: 302,
    errors: [...startErrors, 'file_missing', 'length_required', 'unsupported_media_type'],
  }),
  startUpload: endpoint('POST', '/u/:requestToken/uploads', {
    summary:
      'Start a resumable upload (tus 1.0) to the owner of a file request; its address is in the ' +
      'Location header',
    access: 'anyone',
    input: ofSender,
    headers: tusHeaders.create('Pairs of a name and base64: filename, from, message'),
    status: 201,
    errors: [...startErrors, 'precondition_failed'],
  }),
  uploadInfo: endpoint('GET', '/u/:requestToken/uploads/:uploadId', {
    summary: 'The progress of an upload, in the header Upload-Offset, also for HEAD',
    access: 'anyone',
    input: ofUpload,
    errors: [...openErrors, 'gone', 'precondition_failed'],
  }),
  append: endpoint('PATCH', '/u/:requestToken/uploads/:uploadId', {
    summary: 'Resume an upload at its offset; after the last byte the owner has the file',
    access: 'anyone',
    input: ofUpload,
    headers: tusHeaders.append,
    body: 'bytes',
    status: 204,
    errors: [
      ...openErrors,
      'gone',
      'offset_mismatch',
      'locked',
      'precondition_failed',
      'too_large',
      'unsupported_media_type',
      'read_only',
      'disk_full',
    ],
  }),
  discard: endpoint('DELETE', '/u/:requestToken/uploads/:uploadId', {
    summary: 'Cancel an upload, even a running one; a finished file stays',
    access: 'anyone',
    input: ofUpload,
    status: 204,
    errors: [...openErrors, 'locked', 'precondition_failed'],
  }),
}
