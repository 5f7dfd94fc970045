import { AppError } from '../../core/errors'
import type { BlobDraft, PublishedBlob } from '../../data/blobs/blob-draft'
import type { BlobStore } from '../../data/blobs/blob-store'
import type { Library, Transaction } from '../../data/library/library'
import { requireDigest } from '../../http/endpoint/claimed-digest'
import { cleanFilename } from './filename'
import type { PackageFacts } from './package-facts'
import type { FileRecord, PackagePart } from '../../data/records/file-records'

/** The sender's claims about the bytes. */
export interface UploadClaims {
  /** The account whose packages are read one after the other. */
  ownerId: string
  filename: string
  /** Null: the version in the package. */
  version: string | null
  /** In hexadecimal. Other bytes are rejected. */
  sha256?: string | null | undefined
}

/** Durable bytes and the data of their record. */
export type PublishedFile = PublishedBlob & Pick<FileRecord, 'filename' | 'version'> & PackagePart

interface Deps {
  library: Library
  blobs: BlobStore
  facts: Pick<PackageFacts, 'read'>
}

/**
 * Turns a draft into a file, in two steps: `publish`, then `record`.
 *
 * `publish` syncs the bytes, verifies the claimed digest, renames the draft to a blob, and reads
 * the facts of a package beside it. `record` runs the transaction that adds the file.
 *
 * The order makes a crash harmless: after `publish` there is a blob that no record names, which
 * startup sets aside; after `record` both exist. The reverse order could leave a file without
 * bytes. If the transaction is rejected (AppError), the blob is removed. If saving failed, the
 * transaction may still have reached the disk, so the blob stays and the next start decides.
 */
export class Publishing {
  /** Files added since the start. */
  files = 0

  constructor(private readonly deps: Deps) {}

  /** Makes the bytes of a draft durable. Throws `digest_mismatch`. Call `record` next. */
  async publish(
    draft: Pick<BlobDraft, 'publish'>,
    { ownerId, filename, version, sha256 }: UploadClaims,
  ): Promise<PublishedFile> {
    const blob = await draft.publish((digest) => requireDigest(sha256 ?? undefined, digest))
    const file = { ...blob, filename: cleanFilename(filename), version }
    return { ...file, ...(await this.deps.facts.read({ ...file, ownerId })) }
  }

  /**
   * Runs the transaction that adds the file. If `change` throws an AppError, the bytes are removed.
   */
  async record<T>({ blobId }: PublishedBlob, change: (tx: Transaction) => T): Promise<T> {
    const { blobs, library } = this.deps
    try {
      const result = await library.transact(change)
      this.files++
      return result
    } catch (cause) {
      // After an I/O error keep the bytes; startup recovery decides.
      if (cause instanceof AppError) await blobs.remove(blobId)
      throw cause
    }
  }

  /** Removes bytes that no record names. */
  drop({ blobId }: PublishedBlob): Promise<void> {
    return this.deps.blobs.remove(blobId)
  }
}
