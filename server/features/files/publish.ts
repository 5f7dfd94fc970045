import type { BuildWarning } from '../../contract/files/facts'
import { AppError, notFound } from '../../core/errors'
import type { BlobDraft, PublishedBlob } from '../../data/blobs/drafts'
import type { BlobStore } from '../../data/blobs/blob-store'
import type { Library, Transaction } from '../../data/library/library'
import { requireDigest } from '../../http/endpoint/claimed-digest'
import type { FileStore } from './file-store'
import { cleanFilename } from '../../texts/filename'
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

/** Where a build goes. */
export interface Destination {
  /** The account that owns the file and pays for it. */
  ownerId: string
  isPublic: boolean
  /** Who sent it to a file request. */
  received?: FileRecord['received']
  /** The project for whose previews it is. */
  previewOf?: FileRecord['previewOf']
  /** The account whose quota is reserved for the bytes. */
  payerId: string | undefined
  /** False if a maintainer publishes for the project's owner. */
  isOwn: boolean
  /** Links the file. Undefined without a project, or if it can no longer be linked. */
  link?: ((tx: Transaction, file: FileRecord) => Warnings) | undefined
  /** An earlier file of the same build, which stays instead of this one. */
  same?: FileRecord | undefined
}

/** Undefined: the file was not linked. */
type Warnings = BuildWarning[] | undefined

/** Both run in the transaction that adds the file. */
export interface Publication<T> {
  /** Decides there, because rights may end while the bytes are published. */
  place: (file: PublishedFile) => Destination
  /** Saves what else belongs to the file. */
  record: (tx: Transaction, file: FileRecord, warnings: Warnings) => T
}

interface Deps {
  library: Library
  blobs: BlobStore
  store: FileStore
  users: { find(id: string): object | undefined }
  quota: { require(userId: string, bytes: number, payer: { isOwn: boolean }): void }
  facts: Pick<PackageFacts, 'read'>
}

/**
 * Turns a draft into a file, the same way for every kind of upload.
 *
 * `publish` syncs the bytes, verifies the claimed digest, renames the draft to a blob, and reads
 * the facts of a package beside it. Then one transaction adds the file and its link.
 *
 * The order makes a crash harmless: after `publish` there is a blob that no record names, which
 * startup sets aside; after the transaction both exist. The reverse order could leave a file
 * without bytes. If the transaction is rejected (AppError), the blob is removed. If saving failed,
 * the transaction may still have reached the disk, so the blob stays and the next start decides.
 */
export class Publishing {
  /** Files added since the start. */
  files = 0

  constructor(private readonly deps: Deps) {}

  /**
   * Publishes a draft as a file, and as a build of its project. Throws `digest_mismatch`,
   * `quota_exceeded`, `not_found` if the account was deleted meanwhile, and what `place` and
   * `record` throw; then it removes the bytes.
   */
  async publishBuild<T>(
    draft: Pick<BlobDraft, 'publish'>,
    claims: UploadClaims,
    { place, record }: Publication<T>,
  ): Promise<T> {
    const { blobs, library } = this.deps
    const blob = await this.publish(draft, claims)

    try {
      const { result, isSame } = await library.transact((tx) => {
        const { same, link, ...account } = place(blob)
        if (!this.deps.users.find(account.ownerId)) throw notFound('User')
        const file = same ?? this.#add(tx, blob, account)
        const warnings = same ? [] : link?.(tx, file)
        return { result: record(tx, file, warnings), isSame: same !== undefined }
      })

      if (isSame) await blobs.remove(blob.blobId)
      else this.files++
      return result
    } catch (cause) {
      // After an I/O error keep the bytes; startup recovery decides.
      if (cause instanceof AppError) await blobs.remove(blob.blobId)
      throw cause
    }
  }

  /** Makes the bytes of a draft durable. */
  async publish(
    draft: Pick<BlobDraft, 'publish'>,
    { ownerId, filename, version, sha256 }: UploadClaims,
  ): Promise<PublishedFile> {
    const blob = await draft.publish((digest) => requireDigest(sha256 ?? undefined, digest))
    const file = { ...blob, filename: cleanFilename(filename), version }
    return { ...file, ...(await this.deps.facts.read({ ...file, ownerId })) }
  }

  #add(
    tx: Transaction,
    blob: PublishedFile,
    { ownerId, isPublic, received, previewOf, payerId, isOwn }: Destination,
  ): FileRecord {
    const { quota, store } = this.deps
    if (ownerId !== payerId) quota.require(ownerId, blob.size, { isOwn })
    return store.add(tx, { ...blob, ownerId, isPublic, received, previewOf })
  }
}
