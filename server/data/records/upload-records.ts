import { z } from 'zod'
import { warningCodes } from '../../contract/files/facts'
import { channel, id, time } from '../../contract/fields'
import type { InBucket } from '../blobs/blob-store'
import { blobId, bytes, filename, sha256, text } from './fields'
import { received } from './file-records'

/** Warnings of the host about a build. */
export const warnings = z
  .array(z.object({ code: z.enum(warningCodes), message: z.string().max(1000) }))
  .readonly()

const inBucket: z.ZodType<InBucket> = z.object({
  uploadId: z.string().max(2000),
  // S3 allows no more.
  parts: z.array(z.string().max(200)).max(10_000).readonly(),
  tail: z
    .array(z.object({ name: z.string().max(100), size: bytes }))
    .max(100)
    .readonly(),
})

/** A resumable upload. */
export type UploadRecord = z.infer<typeof uploadRecord>

export const uploadRecord = z.object({
  id,
  ownerId: id,
  /** Id of its bytes and of the later blob. */
  blobId,
  size: bytes,
  /** Bytes that would survive a power cut. */
  offset: bytes,
  /** Only where a bucket has the bytes. */
  inBucket: inBucket.optional(),
  /** `Upload-Metadata` as received. */
  metadata: text,
  filename,
  isPublic: z.boolean(),
  projectId: z.string().max(80).nullable(),
  version: text.nullable(),
  platform: text.nullable(),
  /** Channel of the release that it creates (default: derived from the version). */
  channel: channel.optional(),
  /** Whether its file is for a preview of the project. */
  forPreview: z.literal(true).optional(),
  /** Expected digest of the whole file, or null. */
  sha256: sha256.nullable(),
  fingerprint: text.nullable(),
  createdAt: time,
  expiresAt: time,
  /** The published file; null: unfinished. */
  fileId: id.nullable(),
  isLinked: z.boolean(),
  /** Whether to reject a build with warnings. */
  isStrict: z.boolean().optional(),
  warnings: warnings.optional(),
  /** Undefined: the owner sends it. */
  received: received.optional(),
  /** The report that gets it as a file. Its reporter sends it. */
  report: z.object({ id, projectId: id }).optional(),
})

/** Bytes of the metadata of an upload. */
export const metadataBytes = ({ metadata }: Pick<UploadRecord, 'metadata'>): number =>
  Buffer.byteLength(metadata)

/** The reply to a request with an Idempotency-Key. */
export type IdempotencyRecord = z.infer<typeof idempotencyRecord>

export const idempotencyRecord = z.object({
  id: z.string().max(600),
  userId: id,
  fingerprint: text,
  reply: z.custom<object>(
    (it) => typeof it === 'object' && it !== null && !Array.isArray(it),
    'not an object',
  ),
  createdAt: time,
})
