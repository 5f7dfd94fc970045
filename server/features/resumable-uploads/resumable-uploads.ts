import type { Actor } from '../../access/actor'
import type { Files } from '../../compose/files'
import { AppError } from '../../core/errors'
import { finish, type FinishDeps } from './finishing'
import { receiveAppend, type AppendBody } from './receive-append'
import { UploadLocks, type UploadLock } from './upload-locks'
import type { NewUpload } from './upload-store'
import { cleanFilename } from '../../texts/filename'
import { UploadLostError, type SafeBytes } from '../../data/blobs/blob-store'
import type { UploadRecord } from '../../data/records/upload-records'

interface Deps extends FinishDeps {
  quota: Files['quota']
  /** A request silent for this long yields to the next one, in ms. */
  silentMs: number
}

/**
 * Errors that end an upload: the bytes or the build are wrong, or no account can pay for them.
 */
const FINAL: readonly string[] = ['digest_mismatch', 'build_mismatch', 'quota_exceeded']

/** The reserved quota of an upload, and the account that pays. */
interface Held {
  reservation: ReturnType<Files['quota']['hold']>
  payerId: string
}

interface Sending extends Pick<AppendBody, 'body' | 'pace'> {
  /** Throws when the sender loses the right to upload. Received bytes stay. */
  requireSender: () => void
}

/**
 * Resumable uploads (tus): a file arrives in several appends, across days, restarts and crashes.
 *
 * An upload is a record in the library and bytes in `uploads/` (or parts in a bucket).
 * Its states, by the fields of the record:
 * - incomplete (`offset < size`): `append` adds bytes.
 * - complete (`offset === size`, `fileId === null`): `finishIfComplete` publishes it.
 * - finished (`fileId` set): stays for some days, so that a client whose response was lost finds
 *   its file.
 * An upload that expires, or whose bytes are lost, is discarded.
 *
 * `offset` is the number of bytes that are durable. During an append, bytes are written first,
 * synced from time to time, and only then recorded: a crash at any point leaves more bytes than
 * the record says, never fewer. The next append overwrites the surplus.
 *
 * Publishing has two steps: the bytes become a blob, then one transaction adds the file and the
 * link, and marks the upload finished. A crash between them leaves a complete upload. The next
 * HEAD of the client publishes it again.
 *
 * One request at a time holds the lock of an upload (`UploadLocks`), and rereads the record under
 * the lock. The quota of the whole size stays reserved from `begin` until the upload is finished
 * or discarded; `recover` restores the reservations of earlier runs.
 */
export class ResumableUploads {
  readonly #locks: UploadLocks
  readonly #held = new Map<string, Held>()

  constructor(private readonly deps: Deps) {
    this.#locks = new UploadLocks(deps.silentMs)
  }

  /** Restores the uploads of earlier runs. Discards uploads whose bytes are lost. */
  async recover(): Promise<void> {
    const { store, partial } = this.deps
    const recoverOne = async (upload: UploadRecord) => {
      if (isPartOrStream(upload) || (await partial.isLost(upload))) await store.remove(upload.id)
      else this.#hold(upload)
    }
    await Promise.all(store.unfinished().map(recoverOne))
  }

  /**
   * Reserves the quota and begins. `requireRoom` replaces the account's limit of unfinished
   * uploads. Throws what it throws, `quota_exceeded`, `too_many_records` and `disk_full`.
   */
  async begin(
    upload: Omit<NewUpload, 'blobId' | 'inBucket' | 'offset'>,
    requireRoom?: () => void,
  ): Promise<UploadRecord> {
    const { partial, quota } = this.deps
    const payerId = this.#payerOf(upload)
    const isOwn = payerId === upload.ownerId
    const reservation = await quota.reserve(
      payerId,
      upload.size,
      { isOwn },
      partial.bytesHere(upload.size),
    )

    try {
      const filename = cleanFilename(upload.filename)
      const created = { ...upload, filename, ...(await partial.create()), offset: 0 }
      const record = await this.#add(created, requireRoom)
      this.#held.set(record.id, { reservation, payerId })
      this.#settle(record)
      return record
    } catch (cause) {
      reservation.release()
      throw cause
    }
  }

  /** Moves the reservation to the account that pays for the project. Throws `quota_exceeded`. */
  payAgain(upload: UploadRecord): void {
    const payerId = this.#payerOf(upload)
    if (this.#held.get(upload.id)?.payerId === payerId) return
    this.deps.quota.require(payerId, upload.size, { isOwn: payerId === upload.ownerId })
    this.#release(upload.id)
    this.#hold(upload)
  }

  /**
   * Moves reservations to senders who may no longer release in this project, regardless of their
   * quota.
   */
  settle(projectId: string): void {
    for (const id of this.#held.keys()) {
      const upload = this.deps.store.find(id)
      if (upload?.projectId === projectId) this.#settle(upload)
    }
  }

  /** Locks an upload while `work` runs, with its current record. */
  async during<T>(
    { id }: UploadRecord,
    work: (upload: UploadRecord | undefined, lock: UploadLock) => Promise<T>,
    options?: { atOnce: boolean },
  ): Promise<T> {
    const lock = await this.#locks.take(id, options)
    try {
      return await work(this.deps.store.find(id), lock)
    } finally {
      lock.end()
    }
  }

  /**
   * Receives the bytes of one request and returns the upload as recorded. Throws the error that
   * ended the request early, after saving the received bytes; `gone` if earlier ones are lost.
   */
  append(upload: UploadRecord, lock: UploadLock, sending: Sending): Promise<UploadRecord> {
    return this.#unlessLost(upload, this.#receive(upload, lock, sending))
  }

  async #receive(upload: UploadRecord, lock: UploadLock, { body, pace, requireSender }: Sending) {
    const { partial } = this.deps
    const held = () => this.#held.get(upload.id)?.reservation
    lock.waitsForClient(() => body.socket.destroy())

    const { safe, failure } = await receiveAppend(partial, upload, {
      body,
      pace,
      onBytes(total) {
        lock.heard()
        requireSender()
        if (total > upload.size)
          throw new AppError('too_large', 'The upload has more bytes than its Upload-Length')
        return held()?.cover(total)
      },
      onWritten: (upTo) => held()?.wrote(upTo),
      onSafe: (now) => this.#advance(upload, now),
    }).finally(() => held()?.pause())

    lock.waitsForClient(undefined)

    // Bytes recorded during the append may have been dropped since.
    const current = this.#current(upload)
    const advanced = safe.offset === current.offset ? current : await this.#advance(upload, safe)
    partial.accept(advanced)

    if (failure !== undefined) throw failure
    return advanced
  }

  /** Publishes an upload that has all its bytes. Returns the updated upload. */
  async finishIfComplete(upload: UploadRecord, actor: Actor): Promise<UploadRecord> {
    const { id, size, offset, fileId } = upload
    if (fileId !== null || offset < size) return upload

    try {
      const payerOf = () => this.#held.get(id)?.payerId
      await this.#unlessLost(upload, finish(this.deps, upload, actor, payerOf))
    } catch (cause) {
      if (cause instanceof AppError && isFinal(upload, cause)) await this.discard(upload)
      throw cause
    }

    this.#release(id)
    return this.deps.store.find(id) ?? upload
  }

  /** Discards an upload, but not its published file. */
  async discard(upload: UploadRecord): Promise<void> {
    const { id, fileId } = upload
    await this.deps.store.remove(id)
    if (fileId === null) await this.deps.partial.remove(upload)
    this.#release(id)
  }

  /** Saves and ends all running appends. Clients resume after the restart. */
  close(): Promise<void> {
    return this.#locks.endAll()
  }

  /** Discards expired uploads and bytes without an upload. */
  async sweep(): Promise<void> {
    const { store, partial } = this.deps
    const discard = async (current: UploadRecord | undefined) => {
      if (current && store.isExpired(current)) await this.discard(current)
    }

    for (const upload of store.expired()) {
      // Skip an upload that is in use.
      await this.during(upload, discard).catch((cause: unknown) => {
        if (!(cause instanceof AppError && cause.code === 'locked')) throw cause
      })
    }

    await partial.sweep(store.unfinishedWith)
  }

  async #add(upload: NewUpload, requireRoom?: () => void): Promise<UploadRecord> {
    const { store, partial } = this.deps
    try {
      return await store.add(upload, requireRoom)
    } catch (cause) {
      if (cause instanceof AppError) await partial.remove(upload)
      throw cause
    }
  }

  /** Discards an upload whose bytes are lost: the client must start a new one. */
  async #unlessLost<T>(upload: UploadRecord, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (cause) {
      if (!(cause instanceof UploadLostError)) throw cause
      await this.discard(this.#current(upload))
      throw new AppError('gone', 'The stored bytes of this upload are lost: start a new one')
    }
  }

  async #advance(upload: UploadRecord, safe: SafeBytes): Promise<UploadRecord> {
    return (await this.deps.store.advance(upload.id, safe)) ?? upload
  }

  #current(upload: UploadRecord): UploadRecord {
    return this.deps.store.find(upload.id) ?? upload
  }

  #hold(upload: UploadRecord): void {
    const { id, ownerId, size, offset } = upload
    const payerId = this.#payerOf(upload)
    const reservation = this.deps.quota.hold(payerId, size, offset, { isOwn: payerId === ownerId })
    this.#held.set(id, { reservation, payerId })
  }

  #settle(upload: UploadRecord): void {
    const { id, ownerId } = upload
    if (this.#held.get(id)?.payerId === ownerId || this.#payerOf(upload) !== ownerId) return
    this.#release(id)
    this.#hold(upload)
  }

  /** Returns the owner of the project while the sender may release there, else the sender. */
  #payerOf({ projectId, ownerId }: Pick<UploadRecord, 'projectId' | 'ownerId'>): string {
    const project = projectId === null ? undefined : this.deps.projects.store.find(projectId)
    return project?.maintainerIds?.includes(ownerId) ? project.ownerId : ownerId
  }

  #release(id: string): void {
    this.#held.get(id)?.reservation.release()
    this.#held.delete(id)
  }
}

/** Whether an error ends an upload. A report refuses pictures that cannot be read. */
const isFinal = ({ report }: UploadRecord, { code }: AppError): boolean =>
  FINAL.includes(code) || (report !== undefined && code !== 'busy')

/**
 * Earlier versions accepted uploads of unknown size and partial uploads, which cannot be resumed.
 */
const isPartOrStream = ({
  size,
  concat,
}: {
  size: number | null
  concat?: string | null
}): boolean => size === null || concat === 'partial'
