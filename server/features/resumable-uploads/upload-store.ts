import type { Allowance } from '../../access/allowance'
import { UPLOAD_DAYS } from '../../contract'
import type { Collection, Index, Library, Transaction, UniqueIndex } from '../../data/library/library'
import { DAY_MS, type World } from '../../core/clock'
import type { TrustedClock } from '../../data/library/trusted-clock'

/** So long an upload is kept of which no byte has arrived, in ms: it holds quota for nothing. */
const EMPTY_MS = 3_600_000

export interface UploadRecord {
  id: string
  ownerId: string
  /** Where its bytes lie, and the blob that they become. */
  blobId: string
  /** Bytes. */
  size: number
  /** Bytes that are on disk for good. */
  offset: number
  /** `Upload-Metadata` as it came. */
  metadata: string
  filename: string
  isPublic: boolean
  projectId: string | null
  version: string | null
  platform: string | null
  /** What the whole file must have; null: nobody said. */
  sha256: string | null
  fingerprint: string | null
  createdAt: string
  expiresAt: string
  /** The file that it has become; null: it is not finished. */
  fileId: string | null
  /** Whether the file was linked to the project. */
  isLinked: boolean
}

/** What its sender may still change while it is not finished. */
export type UploadPurpose = Pick<UploadRecord, 'isPublic' | 'projectId' | 'version' | 'platform'>

export type NewUpload = Omit<UploadRecord, 'id' | 'createdAt' | 'expiresAt' | 'fileId' | 'isLinked'>

/** Uploads in several turns: how far they have come. */
export class UploadStore {
  readonly #uploads: Collection<UploadRecord>
  readonly #byOwner: Index<UploadRecord>
  readonly #byBlob: UniqueIndex<UploadRecord>
  readonly #text: { get(userId: string): number }

  constructor(
    private readonly library: Library,
    private readonly world: World,
    private readonly clock: Pick<TrustedClock, 'now' | 'stamp'>,
    private readonly allowance: Allowance,
  ) {
    this.#uploads = library.collection<UploadRecord>('uploads')
    this.#byOwner = this.#uploads.index((upload) => (upload.fileId === null ? upload.ownerId : undefined))
    this.#text = this.#uploads.sum((upload) => upload.ownerId, metadataBytes)
    this.#byBlob = this.#uploads.uniqueIndex((upload) => (upload.fileId === null ? upload.blobId : undefined))
  }

  find(id: string): UploadRecord | undefined {
    return this.#uploads.get(id)
  }

  /** Those that are not finished, newest first. */
  unfinishedOf(userId: string): UploadRecord[] {
    return [...this.#byOwner.get(userId)].reverse()
  }

  /** All that are not finished. */
  unfinished(): UploadRecord[] {
    return [...this.#uploads.values()].filter((upload) => upload.fileId === null)
  }

  /** Whether an upload that is not finished has its bytes under this id. */
  holdsBlob = (blobId: string): boolean => this.#byBlob.get(blobId) !== undefined

  isExpired({ expiresAt }: UploadRecord): boolean {
    return expiresAt <= this.clock.now().toISOString()
  }

  expired(): UploadRecord[] {
    return [...this.#uploads.values()].filter((upload) => this.isExpired(upload))
  }

  /** Bytes of what a user's uploads say of themselves. */
  textOf(userId: string): number {
    return this.#text.get(userId)
  }

  /** Throws `too_many_records` and `quota_exceeded`. */
  async add(upload: NewUpload): Promise<UploadRecord> {
    const createdAt = this.world.now().toISOString()
    const own = { id: this.world.newId(), createdAt, fileId: null, isLinked: false }
    const record: UploadRecord = { ...upload, ...own, expiresAt: this.#expiry(upload.offset) }
    await this.library.transact((tx) => {
      this.allowance.records('unfinishedUploadsPerAccount', this.#byOwner.get(upload.ownerId).length)
      this.allowance.text(upload.ownerId, metadataBytes(upload))
      tx.put(this.#uploads, record.id, record)
    })
    return record
  }

  /** So many bytes are on disk. The time until it expires starts again. */
  advance(id: string, offset: number): Promise<UploadRecord | undefined> {
    return this.#change(id, { offset, expiresAt: this.#expiry(offset) })
  }

  /** It is to become something else. */
  setPurpose(id: string, purpose: UploadPurpose): Promise<UploadRecord | undefined> {
    return this.#change(id, purpose)
  }

  /** It has become a file, in the transaction that adds the file. It is remembered for who asks again, without its text. */
  finish(tx: Transaction, upload: UploadRecord, fileId: string, isLinked: boolean): void {
    tx.put(this.#uploads, upload.id, {
      ...upload,
      metadata: '',
      fileId,
      isLinked,
      expiresAt: this.#expiry(upload.offset),
    })
  }

  async remove(id: string): Promise<void> {
    await this.library.transact((tx) => tx.delete(this.#uploads, id))
  }

  #change(id: string, change: Partial<UploadRecord>): Promise<UploadRecord | undefined> {
    return this.library.transact((tx) => {
      const current = this.#uploads.get(id)
      if (!current || current.fileId !== null) return current
      const changed = { ...current, ...change }
      tx.put(this.#uploads, id, changed)
      return changed
    })
  }

  #expiry(offset: number): string {
    const keptMs = offset > 0 ? UPLOAD_DAYS * DAY_MS : EMPTY_MS
    return new Date(this.clock.stamp().getTime() + keptMs).toISOString()
  }
}

const metadataBytes = ({ metadata }: Pick<UploadRecord, 'metadata'>): number => Buffer.byteLength(metadata)
