import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { BatchWriter } from './batch-writer'
import type { FileHash } from './file-hash'
import { releaseMemory } from './release-memory'

type Done = (error?: Error | null) => void

/** How much is handed to the disk at once: less where several files share it, so that nobody else waits for long. */
const BATCH_ALONE = 1024 * 1024
const BATCH_SHARED = 256 * 1024
/** The disk is set to work this often, so that the sync at the end of a big file does not take long. */
const SYNC_EVERY_BYTES = 32 * 1024 * 1024

interface Options {
  hash: FileHash
  /** Hears how many bytes there will be, before they are written. A throw ends the stream with that error. */
  onBytes(total: number): void
  /** Whether the chunks are given away: their memory is then released as soon as they are written. */
  ownsChunks: boolean
}

/** A stream into a file that counts and hashes what it writes. It stays open when it ends, so that it can be synced. */
export class HashingFile extends Writable {
  static #open = 0

  readonly #writer: BatchWriter
  #bytes = 0
  #syncedUpTo = 0
  #syncing: Promise<void> | undefined

  constructor(
    private readonly file: FileHandle,
    private readonly options: Options,
  ) {
    super({ highWaterMark: BATCH_ALONE, autoDestroy: false })
    HashingFile.#open++
    this.#writer = new BatchWriter(file, {
      batchBytes: () => (HashingFile.#open > 1 ? BATCH_SHARED : BATCH_ALONE),
      written: (upTo, chunks) => this.#written(upTo, chunks),
    })
    // Whoever writes hears of a failure by its own means; here it must only not end the process.
    this.on('error', () => undefined)
  }

  /** How many have been taken; when the stream has finished, they are all written. */
  get bytes(): number {
    return this.#bytes
  }

  /** Returns once everything is on disk, with the hash of it. Fails if any sync before has failed. */
  async seal(): Promise<string> {
    await this.#syncing
    const [sha256] = await Promise.all([this.options.hash.digest(this.#bytes), this.file.sync()])
    return sha256
  }

  /** Waits for what is under way, then lets go of the file. */
  close(): Promise<void> {
    if (this.closed) return Promise.resolve()
    return new Promise((resolve) => this.once('close', () => resolve()).destroy())
  }

  /** Answers at once while there is room, so that the source never waits for a single write. */
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    try {
      this.options.onBytes(this.#bytes + chunk.length)
    } catch (error) {
      return done(error as Error)
    }
    this.#bytes += chunk.length
    this.options.hash.update(chunk)
    this.#writer.add(chunk)
    const room = this.#writer.room()
    if (room) room.then(() => done(), done)
    else done()
  }

  override _final(done: Done): void {
    this.#writer.drain().then(() => done(), done)
  }

  /** The handle waits by itself for operations under way, so no late write can meet a descriptor of somebody else. */
  override _destroy(error: Error | null, done: Done): void {
    HashingFile.#open--
    Promise.all([this.file.close(), this.options.hash.stop()]).then(
      () => done(error),
      (failure: unknown) => done(error ?? (failure as Error)),
    )
  }

  #written(upTo: number, chunks: readonly Buffer[]): void {
    this.options.hash.written(upTo)
    // Whoever wrote a chunk may still look at it in its callback, which comes first.
    if (this.options.ownsChunks) setImmediate(releaseMemory, chunks)
    this.#syncNowAndThen(upTo)
  }

  #syncNowAndThen(upTo: number): void {
    if (this.#syncing !== undefined || upTo - this.#syncedUpTo < SYNC_EVERY_BYTES) return
    this.#syncedUpTo = upTo
    const syncing = this.file.datasync().then(() => (this.#syncing = undefined))
    // A failure stays in `#syncing` for good and fails the seal: a failed sync is never tried again.
    syncing.catch(() => undefined)
    this.#syncing = syncing
  }
}
