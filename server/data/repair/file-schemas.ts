import { z } from 'zod'
import { packageKinds } from '../../contract/facts'
import { id, time } from '../../contract/fields'
import { isBlobId } from '../blobs/blob-names'

/** The records of files and of their copies, for `recordSchemas`. */

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
export const blobId = z.string().refine(isBlobId, 'not a blob ID')
export const bytes = z.int().nonnegative()
export const text = z.string().max(200_000)

/** A filename without a folder, safe in archives and headers. */
export const filename = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => !/[/\\\0]/.test(name) && name !== '.' && name !== '..', 'not a filename')

const SUMMARY_BYTES = 400
const short = z.string().max(100)

/** See `PackageSummary`. */
const summary = z
  .object({
    kind: z.enum(packageKinds),
    appId: short.optional(),
    version: short.optional(),
    build: short.optional(),
    minOs: short.optional(),
    architectures: z.array(short).optional(),
    signer: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .optional(),
    isSigned: z.boolean().optional(),
    isDebug: z.literal(true).optional(),
    expiresAt: time.optional(),
    devices: bytes.optional(),
    hasIcon: z.literal(true).optional(),
    isPartial: z.literal(true).optional(),
  })
  .refine((it) => Buffer.byteLength(JSON.stringify(it)) <= SUMMARY_BYTES, 'too large')

export const file = z.object({
  id,
  ownerId: id,
  blobId,
  filename,
  size: bytes,
  sha256,
  crc32: bytes.optional(),
  sha512: z
    .string()
    .regex(/^[\w+/]{86}==$/)
    .optional(),
  blockMapSize: bytes.optional(),
  isPublic: z.boolean(),
  version: text.nullable(),
  facts: summary.nullable().optional(),
  unreadable: z.string().max(200).optional(),
  uploadedAt: time,
})

/** See `MirroredRecord`. */
export const mirrored = z.object({
  id: blobId,
  fileId: id,
  filename,
  size: bytes,
  sha256,
  place: z.string().max(40),
  state: z.enum(['copying', 'there', 'revoking', 'damaged']),
  at: time,
  uploadId: text.nullable(),
  parts: z.array(z.object({ md5: z.string().regex(/^[0-9a-f]{32}$/), etag: z.string().max(200) })).max(10_000),
  etag: z.string().max(200).nullable(),
  failingSince: time.nullable(),
})
