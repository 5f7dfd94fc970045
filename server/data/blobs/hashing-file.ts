import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { BatchWriter } from './batch-writer'
import type { Digests } from './digests'
import type { FileHash } from './file-hash'
import { releaseMemory } from './release-memory'

type Done = (error?: Error | null) => void

/** How much is handed to the disk at once: less where several files share it, so that nobody else waits for long. */
const BATCH_ALONE = 1024 * 1024
const BATCH_SHARED = 256 * 1024
/** The disk is set to work this often, so that the sync at the end of a big file does not take long. */
const SYNC_EVERY_BYTES = 32 * 1024 * 1024
/** And this often where somebody waits to hear how far the file is on disk, in ms: a slow line takes long for its bytes. */
const SYNC_EVERY_MS = 2000

interface Options {
  hash: FileHash
  /** Where to go on in the file, in bytes; at its beginning without it. */
  start?: number
  /** Hears how far everything is on disk, now and then while the file is written. */
  synced?(upTo: number): void
  /** Hears how many bytes there will be, and may hold them back before they are written. A failure ends the stream. */
  onBytes(total: number): Promise<void> | undefined
  /** Hears how far the file is written without a gap. */
  onWritten?: ((upTo: number) => void) | undefined
  /** Whether the chunks are given away: their memory is then released as soon as they are written. */
  ownsChunks: boolean
  /** Holds the source back after so many bytes, where it has to share the line with others. */
  pace?: ((bytes: number) => Promise<void> | undefined) | undefined
}

/** A stream into a file that counts and hashes what it writes. It stays open when it ends, so that it can be synced. */
export class HashingFile extends Writable {
  static #open = 0

  readonly #writer: BatchWriter
  #bytes: number
  #solid: number
  #syncedUpTo: number
  #syncedAt = performance.now()
  #syncing: Promise<void> | undefined

  constructor(
    private readonly file: FileHandle,
    private readonly options: Options,
  ) {
    super({ highWaterMark: BATCH_ALONE, autoDestroy: false })
    HashingFile.#open++
    this.#bytes = this.#solid = this.#syncedUpTo = options.start ?? 0
    this.#writer = new BatchWriter(file, {
      start: this.#bytes,
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

  /** Returns once everything is on disk, with the digests of it. Fails if any sync before has failed. */
  async seal(): Promise<Digests> {
    await this.#syncing
    const [digests] = await Promise.all([this.options.hash.digest(this.#bytes), this.file.sync()])
    return digests
  }

  /** Returns how far the file is on disk without a gap, whatever has failed on the way. Fails if a sync has failed. */
  async settle(): Promise<number> {
    await this.#writer.drain().catch(() => undefined)
    const upTo = this.#solid
    await this.#syncing
    await this.file.datasync()
    return upTo
  }

  /** Waits for what is under way, then lets go of the file. */
  close(): Promise<void> {
    if (this.closed) return Promise.resolve()
    return new Promise((resolve) => this.once('close', () => resolve()).destroy())
  }

  /** Answers at once while there is room, so that the source never waits for a single write. */
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    let held: Promise<void> | undefined
    try {
      held = this.options.onBytes(this.#bytes + chunk.length)
    } catch (error) {
      return done(error as Error)
    }
    if (held === undefined) this.#take(chunk, done)
    else held.then(() => (this.destroyed ? done() : this.#take(chunk, done)), done)
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

  #take(chunk: Buffer, done: Done): void {
    this.#bytes += chunk.length
    this.options.hash.update(chunk)
    this.#writer.add(chunk)
    const waits = [this.#writer.room(), this.options.pace?.(chunk.length)].filter((wait) => wait !== undefined)
    if (waits.length > 0) Promise.all(waits).then(() => done(), done)
    else done()
  }

  #written(upTo: number, chunks: readonly Buffer[]): void {
    this.#solid = upTo
    this.options.hash.written(upTo)
    this.options.onWritten?.(upTo)
    // Whoever wrote a chunk may still look at it in its callback, which comes first.
    if (this.options.ownsChunks) setImmediate(releaseMemory, chunks)
    this.#syncNowAndThen(upTo)
  }

  #syncNowAndThen(upTo: number): void {
    if (this.#syncing !== undefined || !this.#isSyncDue(upTo)) return
    this.#syncedUpTo = upTo
    this.#syncedAt = performance.now()
    const syncing = this.file.datasync().then(() => {
      this.#syncing = undefined
      this.options.synced?.(upTo)
    })
    // A failure stays in `#syncing` for good and fails the seal: a failed sync is never tried again.
    syncing.catch(() => undefined)
    this.#syncing = syncing
  }
  #isSyncDue(upTo: number): boolean {
    const isAwaited = this.options.synced !== undefined && performance.now() - this.#syncedAt >= SYNC_EVERY_MS
    return isAwaited || upTo - this.#syncedUpTo >= SYNC_EVERY_BYTES
  }
}
