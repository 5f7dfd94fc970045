import { AppError } from '../../core/errors'
import type { BlobDraft, Blobs, PublishedBlob } from '../../data/blobs/blobs'
import type { Library, Transaction } from '../../data/library/library'
import { requireDigest } from '../../http/endpoint/claimed-digest'
import type { PackageReader } from '../../packages/package-reader'
import type { FileRecord } from './file-store'
import { cleanFilename } from './filename'

/** What the sender says about the bytes. */
export interface Said {
  filename: string
  /** Null: the version that the package itself has. */
  version: string | null
  /** Hexadecimal. Other bytes are refused. */
  sha256?: string | null | undefined
}

/** Bytes that survive a power cut, and what their record says about them. */
export type PublishedFile = PublishedBlob & Pick<FileRecord, 'filename' | 'version' | 'packageVersion'>

interface Needs {
  library: Library
  blobs: Blobs
  packages: Pick<PackageReader, 'versionOf'>
}

/** How bytes become a file, wherever they come from: `publish` them, then `record` them. */
export class Publishing {
  constructor(private readonly needs: Needs) {}

  /** Returns once the bytes of a draft are durable. Throws `digest_mismatch`. `record` has to follow. */
  async publish(draft: Pick<BlobDraft, 'publish'>, { filename, version, sha256 }: Said): Promise<PublishedFile> {
    const { blobs, packages } = this.needs
    const blob = await draft.publish((found) => requireDigest(sha256 ?? undefined, found))
    const file = { ...blob, filename: cleanFilename(filename), version }
    if (version !== null) return file
    const packageVersion = await packages.versionOf({ ...file, path: blobs.pathOf(blob.blobId) })
    return packageVersion === null ? file : { ...file, packageVersion }
  }

  /** Runs the transaction that adds the file of published bytes. If `change` refuses them, the bytes are removed. */
  async record<T>({ blobId }: PublishedBlob, change: (tx: Transaction) => T): Promise<T> {
    const { blobs, library } = this.needs
    try {
      return await library.transact(change)
    } catch (cause) {
      // After an error of the disk it is unknown what the library has kept: the next start looks.
      if (cause instanceof AppError) await blobs.remove(blobId)
      throw cause
    }
  }
}
