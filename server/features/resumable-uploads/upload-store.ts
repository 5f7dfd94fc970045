import type { Allowance } from '../../access/allowance'
import { UPLOAD_DAYS } from '../../contract'
import type { BuildWarning } from '../../contract/files/facts'
import type {
  Collection,
  Index,
  Library,
  Transaction,
  UniqueIndex,
} from '../../data/library/library'
import { DAY_MS, type Sources } from '../../core/clock'
import type { TrustedClock } from '../../data/library/trusted-clock'
import type { SafeBytes } from '../../data/blobs/blob-store'
import { metadataBytes, type UploadRecord } from '../../data/records/upload-records'

/** An upload without bytes expires after this, in ms, because it blocks quota. */
const EMPTY_MS = 3_600_000
/** The same for a person without an account after their last byte: the owner pays. */
const RECEIVED_MS = DAY_MS

/** Fields that the sender can change until the upload finishes. */
export type UploadPurpose = Pick<UploadRecord, 'isPublic' | 'projectId' | 'version' | 'platform'>

export type NewUpload = Omit<
  UploadRecord,
  'id' | 'createdAt' | 'expiresAt' | 'fileId' | 'isLinked' | 'warnings'
>

/** The records of resumable uploads. */
export class UploadStore {
  readonly #uploads: Collection<UploadRecord>
  readonly #byOwner: Index<UploadRecord>
  readonly #byRequest: Index<UploadRecord>
  readonly #byReport: Index<UploadRecord>
  readonly #reportBytes: { get(projectId: string): number }
  readonly #receivedBytes: { get(userId: string): number }
  readonly #byBlob: UniqueIndex<UploadRecord>

  constructor(
    private readonly library: Library,
    private readonly sources: Sources,
    private readonly clock: Pick<TrustedClock, 'now' | 'stamp'>,
    private readonly allowance: Allowance,
  ) {
    this.#uploads = library.collection('uploads')

    this.#byOwner = this.#uploads.index((upload) =>
      upload.fileId === null && !isSent(upload) ? upload.ownerId : undefined,
    )
    this.#byRequest = this.#uploads.index((upload) =>
      upload.fileId === null ? upload.received?.requestId : undefined,
    )
    this.#byReport = this.#uploads.index((upload) =>
      upload.fileId === null ? upload.report?.id : undefined,
    )
    this.#reportBytes = this.#uploads.sum(
      ({ report }) => report?.projectId ?? '',
      ({ fileId, report, size }) => (fileId === null && report ? size : 0),
    )
    this.#receivedBytes = this.#uploads.sum(
      (upload) => upload.ownerId,
      (upload) => (upload.fileId === null && isSent(upload) ? upload.size : 0),
    )

    this.#byBlob = this.#uploads.uniqueIndex((upload) =>
      upload.fileId === null ? upload.blobId : undefined,
    )
  }

  find(id: string): UploadRecord | undefined {
    return this.#uploads.get(id)
  }

  /** Lists the unfinished uploads to a file request. */
  unfinishedOfRequest(id: string): readonly UploadRecord[] {
    return this.#byRequest.get(id)
  }

  /** Lists the unfinished uploads of files for a report. */
  unfinishedOfReport(id: string): readonly UploadRecord[] {
    return this.#byReport.get(id)
  }

  /** Returns the bytes of all unfinished uploads to the reports of a project. */
  unfinishedReportBytes(projectId: string): number {
    return this.#reportBytes.get(projectId)
  }

  /** Returns the bytes of all unfinished uploads of people without an account to a user. */
  unfinishedReceivedBy(userId: string): number {
    return this.#receivedBytes.get(userId)
  }

  /** Lists what a user sends, without what people send to them. */
  unfinishedOf(userId: string): UploadRecord[] {
    return [...this.#byOwner.get(userId)].reverse()
  }

  unfinished(): UploadRecord[] {
    return [...this.#uploads.values()].filter((upload) => upload.fileId === null)
  }

  holdsBlob = (blobId: string): boolean => this.#byBlob.get(blobId) !== undefined

  unfinishedWith = (blobId: string): UploadRecord | undefined => this.#byBlob.get(blobId)

  isExpired({ expiresAt }: UploadRecord): boolean {
    return expiresAt <= this.clock.now().toISOString()
  }

  expired(): UploadRecord[] {
    return [...this.#uploads.values()].filter((upload) => this.isExpired(upload))
  }

  /**
   * Throws `too_many_records`, `quota_exceeded`, and what `requireRoom` throws, which runs in the
   * transaction in place of the account's limit.
   */
  async add(upload: NewUpload, requireRoom?: () => void): Promise<UploadRecord> {
    const createdAt = this.sources.now().toISOString()
    const own = { id: this.sources.newId(), createdAt, fileId: null, isLinked: false }
    const record: UploadRecord = { ...upload, ...own, expiresAt: this.#expiry(upload) }

    const requireOwn = () =>
      this.allowance.records(
        'unfinished_uploads_per_account',
        this.#byOwner.get(upload.ownerId).length,
      )

    await this.library.transact((tx) => {
      ;(requireRoom ?? requireOwn)()
      this.allowance.text(upload.ownerId, metadataBytes(upload))
      tx.put(this.#uploads, record.id, record)
    })
    return record
  }

  /** Records the bytes on disk and extends the expiry. */
  advance(id: string, safe: SafeBytes): Promise<UploadRecord | undefined> {
    const { received, report } = this.#uploads.get(id) ?? {}
    return this.#change(id, { ...safe, expiresAt: this.#expiry({ ...safe, received, report }) })
  }

  setPurpose(id: string, purpose: UploadPurpose): Promise<UploadRecord | undefined> {
    return this.#change(id, purpose)
  }

  /**
   * Marks an upload finished, in the transaction that adds the file. Keeps the record for retries,
   * without its metadata. Undefined `warnings`: the file was not linked.
   */
  finish(
    tx: Transaction,
    upload: UploadRecord,
    fileId: string,
    warnings: readonly BuildWarning[] | undefined,
  ): void {
    tx.put(this.#uploads, upload.id, {
      ...upload,
      metadata: '',
      inBucket: undefined,
      fileId,
      isLinked: warnings !== undefined,
      warnings,
      expiresAt: this.#expiry(upload),
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

  #expiry({ offset, ...sender }: Pick<UploadRecord, 'offset' | 'received' | 'report'>): string {
    const restMs = isSent(sender) ? RECEIVED_MS : UPLOAD_DAYS * DAY_MS
    const keptMs = offset > 0 ? restMs : EMPTY_MS
    return new Date(this.clock.stamp().getTime() + keptMs).toISOString()
  }
}

/** Whether a person without an account sends it. */
const isSent = ({ received, report }: Pick<UploadRecord, 'received' | 'report'>): boolean =>
  received !== undefined || report !== undefined
