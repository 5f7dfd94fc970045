import { z } from 'zod'
import { packageKinds } from '../../contract/files/formats'
import { id, time } from '../../contract/fields'
import type { SidecarName } from '../blobs/blob-names'
import { accessLink, blobId, bytes, filename, sha256, text, tokenHash } from './fields'

/** The largest summary, in bytes of JSON. */
export const SUMMARY_BYTES = 400
/** The first hexadecimal digits of the SHA-256 of a signing certificate. */
export const SIGNER_DIGITS = 16
const short = z.string().max(100)

/** The part of a package's facts that the library stores. The sidecar has all. */
export type PackageSummary = z.infer<typeof packageSummary>

export const packageSummary = z
  .object({
    kind: z.enum(packageKinds),
    appId: short.optional(),
    version: short.optional(),
    /** A higher one is newer. */
    build: short.optional(),
    minOs: short.optional(),
    architectures: z.array(short).readonly().optional(),
    signer: z
      .string()
      .regex(new RegExp(`^[0-9a-f]{${SIGNER_DIGITS}}$`))
      .optional(),
    isSigned: z.boolean().optional(),
    isDebug: z.literal(true).optional(),
    /** Whether a notarization ticket is stapled to a macOS package; undefined: not known. */
    isStapled: z.boolean().optional(),
    /** Expiry of the provisioning profile. */
    expiresAt: time.optional(),
    /** Number of devices in the provisioning profile. */
    devices: bytes.optional(),
    hasIcon: z.literal(true).optional(),
    /** Whether a sidecar has the identifiers of the devices in the provisioning profile. */
    listsDevices: z.literal(true).optional(),
    /** Only the version is known, as in earlier versions. There is no sidecar. */
    isPartial: z.literal(true).optional(),
  })
  .refine((it) => Buffer.byteLength(JSON.stringify(it)) <= SUMMARY_BYTES, 'too large')

/** Returns the sidecars that a package gives its blob. */
export function packageSidecars({
  facts,
  hasIndex,
}: Pick<FileRecord, 'facts' | 'hasIndex'>): SidecarName[] {
  if (!facts || facts.isPartial) return []
  const names: SidecarName[] = ['facts.json']
  if (facts.hasIcon) names.push('icon.png')
  if (hasIndex) names.push('index.json')
  if (facts.listsDevices) names.push('devices.json')
  return names
}

/**
 * The part of a record that comes from the package. Without it, the host reads the package when it
 * is idle.
 */
export type PackagePart = Pick<FileRecord, 'facts' | 'hasIndex' | 'unreadable' | 'isPart'>

/** What a person without an account says about a file for a file request. */
export type Received = z.infer<typeof received>

export const received = z.object({
  requestId: id,
  /** The name of the request, which may end before the file. */
  request: text,
  /** The sender, in their own words. */
  from: text,
  message: text,
})

export type FileRecord = z.infer<typeof fileRecord>

export const fileRecord = z.object({
  id,
  ownerId: id,
  filename,
  size: bytes,
  sha256,
  /** Checksum for zip files, computed for the first one. */
  crc32: bytes.optional(),
  /** Base64 digest for updaters, computed when needed. */
  sha512: z
    .string()
    .regex(/^[\w+/]{86}==$/)
    .optional(),
  /** Hexadecimal, for updaters; computed when it is needed. */
  sha1: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .optional(),
  /**
   * Bytes of the map of its blocks, for updaters (`blockMapPlace`); 0: it has none; undefined: not
   * made yet.
   */
  blockMapSize: bytes.optional(),
  /**
   * Bytes of what zsync needs of an AppImage; 0: it does not name zsync; undefined: not read yet.
   */
  zsyncSize: bytes.optional(),
  blobId,
  isPublic: z.boolean(),
  /** Version given at upload. */
  version: text.nullable(),
  /**
   * The facts of the package; null: it states none; undefined: it is not a package, or the host has
   * not read it yet.
   */
  facts: packageSummary.nullable().optional(),
  /**
   * Whether its repository entry is in a sidecar. Undefined if it needs none, or is not read yet.
   */
  hasIndex: z.boolean().optional(),
  /** Why the package or its index is unreadable, as a sentence. */
  unreadable: z.string().max(200).optional(),
  /** Whether it is only a part of an app, which no device installs alone. */
  isPart: z.literal(true).optional(),
  /** Undefined: its owner or a collaborator uploaded it. */
  received: received.optional(),
  /** The project whose previews may have it. Undefined: an ordinary file. */
  previewOf: id.optional(),
  uploadedAt: time,
})

/** A link for people without an account to one file. */
export type ShareLinkRecord = z.infer<typeof shareLinkRecord>

export const shareLinkRecord = accessLink.extend({
  fileId: id,
  /** Null: no limit. */
  mostDownloads: z.int().positive().nullable(),
  /** Complete downloads, if there is a limit. */
  completed: bytes,
  /**
   * Unfinished downloads, which hold a place below the limit. `visitor`: a hash. `at`: the last
   * request.
   */
  unfinished: z.array(z.object({ id, visitor: tokenHash, at: time })).readonly(),
})

/** A link by which people without an account send files to its owner. */
export type FileRequestRecord = z.infer<typeof fileRequestRecord>

export const fileRequestRecord = accessLink.extend({
  /** The project whose webhooks hear of each file. It may have been deleted. */
  projectId: id.nullable(),
  mostFiles: z.int().positive(),
  /** Null: no limit but the storage of the owner. */
  mostBytes: z.int().positive().nullable(),
  /** The endings that names of files may have. Empty or undefined: any. */
  kinds: z.array(z.string()).optional(),
  /** What has arrived. */
  files: bytes,
  bytes,
})

/** A part of an upload to the bucket that the bucket has confirmed. `md5` is hexadecimal. */
export type CopiedPart = z.infer<typeof copiedPart>

const copiedPart = z.object({ md5: z.string().regex(/^[0-9a-f]{32}$/), etag: z.string().max(200) })

/** The copy of one file in the bucket. */
export type CopyRecord = z.infer<typeof copyRecord>

export const copyRecord = z.object({
  /** The id of the blob, which is also the name of the object. */
  id: blobId,
  fileId: id,
  filename,
  size: bytes,
  sha256,
  /** Place of the copy (`placeOf`). The host does not use copies in another bucket. */
  place: z.string().max(40),
  /**
   * `copying`: begun. `there`: proven whole. `revoking`: no longer wanted, and deleted as soon as
   * the bucket answers. `damaged`: the bytes on disk are not those that were uploaded, so there is
   * no copy.
   */
  state: z.enum(['copying', 'there', 'revoking', 'damaged']),
  /** Time at which it reached this state. */
  at: time,
  /** Unfinished multipart upload, or null. */
  uploadId: text.nullable(),
  /** The parts of that upload that the bucket has confirmed, in order. */
  parts: z.array(copiedPart).max(10_000).readonly(),
  etag: z.string().max(200).nullable(),
  /** Time of the first of the current failures to copy or delete. Null after a success. */
  failingSince: time.nullable(),
})
