import { pipeline } from 'node:stream/promises'
import type { Actor } from '../../access/actor'
import { MAX_UPLOAD_BYTES } from '../../contract'
import { AppError } from '../../core/errors'
import { finish, type FinishNeeds } from './finishing'
import { receiveTurn, type TurnBody } from './receive-turn'
import { Turns, type Turn } from './turns'
import type { NewUpload, UploadRecord } from './upload-store'

/** What an upload holds of its owner's quota until it ends, and of the disk while bytes arrive. */
interface Reservation {
  announce(bytes: number): void
  cover(bytes: number): Promise<void> | undefined
  wrote(bytes: number): void
  pause(): void
  release(): void
}

interface Needs extends FinishNeeds {
  quota: {
    reserve(userId: string, bytes: number): Promise<Reservation>
    hold(userId: string, bytes: number, written: number): Reservation
  }
  log: { error(fields: object, message: string): void }
  /** A request whose client has sent nothing for so many ms gives way to the next one. */
  silentMs: number
}

interface Sending extends Pick<TurnBody, 'body' | 'checksum' | 'pace'> {
  /** Throws once who sends may do so no longer. What has come until then is kept. */
  requireSender: () => void
}

/**
 * Uploads in several turns, over days, restarts and crashes. What was acknowledged is on disk; the quota is held from
 * the beginning to the end. One request at a time is at an upload.
 */
export class ResumableUploads {
  readonly #turns: Turns
  readonly #held = new Map<string, Reservation>()

  constructor(private readonly needs: Needs) {
    this.#turns = new Turns(needs.silentMs)
  }

  /** Takes up what earlier runs have left. An upload whose bytes are not there any more is forgotten. */
  async recover(): Promise<void> {
    const { store, partial, quota } = this.needs
    for (const upload of store.unfinished()) {
      const { id, ownerId, blobId, size, offset } = upload
      if ((await partial.sizeOf(blobId)) < offset) await store.remove(id)
      else this.#held.set(id, quota.hold(ownerId, size ?? offset, offset))
    }
  }

  /** Reserves the quota, and begins. Throws `quota_exceeded`, `too_many_records` and `disk_full`. */
  async begin(upload: Omit<NewUpload, 'blobId' | 'offset'>): Promise<UploadRecord> {
    const { store, partial, quota } = this.needs
    const reservation = await quota.reserve(upload.ownerId, upload.size ?? 0)
    try {
      const record = await store.add({ ...upload, blobId: await partial.create(), offset: 0 })
      this.#held.set(record.id, reservation)
      return record
    } catch (cause) {
      reservation.release()
      throw cause
    }
  }

  /** Has an upload for itself while `work` runs; nobody else may have changed it before. */
  async during<T>(
    { id }: UploadRecord,
    work: (upload: UploadRecord | undefined, turn: Turn) => Promise<T>,
    options?: { atOnce: boolean },
  ): Promise<T> {
    const turn = await this.#turns.take(id, options)
    try {
      return await work(this.needs.store.find(id), turn)
    } finally {
      turn.end()
    }
  }

  /**
   * Takes the bytes of one request, and answers the upload as it is then on disk. Throws why the request has ended too
   * early, once what counts of it is kept.
   */
  async append(upload: UploadRecord, turn: Turn, { body, checksum, pace, requireSender }: Sending) {
    const { partial } = this.needs
    const most = upload.size ?? MAX_UPLOAD_BYTES
    const held = this.#held.get(upload.id)
    turn.waitsForClient(() => body.socket.destroy())
    const { offset, failure } = await receiveTurn(partial, upload, {
      ...{ body, checksum, pace },
      onBytes(total) {
        turn.heard()
        requireSender()
        if (total > most) throw new AppError('too_large', 'There are more bytes than the upload was to have')
        return held?.cover(total)
      },
      onWritten: (upTo) => held?.wrote(upTo),
      onDisk: (upTo) => void this.#advance(upload, upTo).catch(() => undefined),
    }).finally(() => held?.pause())
    turn.waitsForClient(undefined)
    // What counted already while it came may have been dropped since.
    const current = this.needs.store.find(upload.id) ?? upload
    const advanced = offset === current.offset ? current : await this.#advance(upload, offset)
    if (failure !== undefined) throw failure
    return advanced
  }

  /** Its sender knows by now how large the file is. Throws `invalid_input`, `too_large` and `quota_exceeded`. */
  async setSize(upload: UploadRecord, size: number): Promise<UploadRecord> {
    if (upload.size === size) return upload
    if (upload.size !== null || size < upload.offset) {
      throw new AppError('invalid_input', 'The length of this upload is another one', 'Upload-Length')
    }
    this.#held.get(upload.id)?.announce(size)
    return (await this.needs.store.setSize(upload.id, size)) ?? upload
  }

  /** Makes a file of an upload that has all its bytes; of any other, and of a part, nothing. Answers how it is then. */
  async finishIfComplete(upload: UploadRecord, actor: Actor): Promise<UploadRecord> {
    const { id, size, offset, concat, fileId } = upload
    if (fileId !== null || size === null || offset < size || concat === 'partial') return upload
    try {
      await finish(this.needs, upload, size, actor)
    } catch (cause) {
      if (cause instanceof AppError && cause.code === 'digest_mismatch') await this.discard(upload)
      throw cause
    }
    this.#release(id)
    return this.needs.store.find(id) ?? upload
  }

  /** Joins complete parts, in their order, to one upload. They are gone then. */
  async join(upload: Omit<NewUpload, 'blobId' | 'offset' | 'size'>, parts: readonly UploadRecord[]) {
    const { store, partial, quota } = this.needs
    const [base, ...others] = parts
    if (!base) throw new AppError('invalid_input', 'Name the parts', 'Upload-Concat')
    const size = parts.reduce((sum, part) => sum + part.offset, 0)
    if (size > MAX_UPLOAD_BYTES) throw new AppError('too_large', 'The file is larger than 2 GB', 'file')
    let offset = base.offset
    for (const other of others) offset = await this.#copy(other, base.blobId, offset)
    const joined = await store.add({ ...upload, blobId: base.blobId, size, offset: size }, parts)
    for (const { id } of parts) this.#release(id)
    this.#held.set(joined.id, quota.hold(upload.ownerId, size, size))
    for (const { blobId } of others) await partial.remove(blobId)
    return joined
  }

  /** Gives up an upload. A file that it has become stays. */
  async discard({ id, blobId, fileId }: UploadRecord): Promise<void> {
    await this.needs.store.remove(id)
    if (fileId === null) await this.needs.partial.remove(blobId)
    this.#release(id)
  }

  /** Keeps what has come of every upload that is running, and cuts it: it can go on when the host is back. */
  close(): Promise<void> {
    return this.#turns.endAll()
  }

  /** Gives up what has expired, and deletes bytes that no upload names. */
  async sweep(): Promise<void> {
    const { store, partial } = this.needs
    const discard = async (current: UploadRecord | undefined) => {
      if (current && store.isExpired(current)) await this.discard(current)
    }
    for (const upload of store.expired()) {
      // An upload that a request is at is not given up.
      await this.during(upload, discard).catch((cause: unknown) => {
        if (!(cause instanceof AppError && cause.code === 'locked')) throw cause
      })
    }
    await partial.sweep((blobId) => store.holdsBlob(blobId))
  }

  async #advance(upload: UploadRecord, offset: number): Promise<UploadRecord> {
    return (await this.needs.store.advance(upload.id, offset)) ?? upload
  }

  async #copy(from: UploadRecord, blobId: string, start: number): Promise<number> {
    const { partial } = this.needs
    const source = await partial.open(from.blobId)
    const file = await partial.write(blobId, { start, onBytes: () => undefined })
    try {
      await pipeline(source.createReadStream({ end: from.offset - 1, highWaterMark: 1024 * 1024 }), file)
      await file.settle()
      return start + from.offset
    } finally {
      await file.close()
      await source.close()
    }
  }

  #release(id: string): void {
    this.#held.get(id)?.release()
    this.#held.delete(id)
  }
}
