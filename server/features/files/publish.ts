import { AppError } from '../../core/errors'
import { requireDigest } from '../../http/endpoint/claimed-digest'
import type { PackageReader } from '../../packages/package-reader'
import type { BlobDraft, Blobs } from '../../data/blobs/blobs'
import type { Transaction } from '../../data/library/library'
import type { FileRecord, FileStore } from './file-store'
import { cleanFilename } from './filename'

/** What is known of a file before its bytes are published. */
export interface Upload {
  ownerId: string
  /** As it was given; it is made clean here. */
  filename: string
  isPublic: boolean
  /** Null: what the package itself tells. */
  version: string | null
  /** What its sender says, in hexadecimal; other bytes are refused. */
  sha256: string | undefined
}

/**
 * Publishes the bytes of a draft, then their record, whose transaction `also` joins. Throws `digest_mismatch`, and what
 * `also` throws: then nothing is kept.
 */
export type PublishFile = (
  draft: Pick<BlobDraft, 'publish'>,
  upload: Upload,
  also: (tx: Transaction, file: FileRecord) => void,
) => Promise<FileRecord>

interface Needs {
  blobs: Blobs
  files: FileStore
  packages: Pick<PackageReader, 'versionOf'>
}

/** The one way in which bytes become a file, however they came. */
export function publishFiles({ blobs, files, packages }: Needs): PublishFile {
  return async (draft, { ownerId, filename, isPublic, version, sha256 }, also) => {
    const blob = await draft.publish((found) => requireDigest(sha256, found))
    const name = cleanFilename(filename)
    const job = { filename: name, size: blob.size, path: blobs.pathOf(blob.blobId) }
    const found = version === null ? await packages.versionOf(job) : null
    const told = found === null ? {} : { packageVersion: found }
    try {
      return await files.add({ ...blob, ownerId, filename: name, isPublic, version, ...told }, also)
    } catch (cause) {
      // The project has gone in the last moment. (Of a disk that fails nobody knows what it has kept: the next start looks.)
      if (cause instanceof AppError) await blobs.remove(blob.blobId)
      throw cause
    }
  }
}
