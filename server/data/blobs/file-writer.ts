import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { releaseMemory } from './release-memory'

type Done = (error?: Error | null) => void

/** Chunks that gather while a write runs go to the disk together. */
const GATHERED_BYTES = 1024 * 1024
/** Syncs on the way keep the one at the end of a big file short. */
const SYNC_EVERY_BYTES = 32 * 1024 * 1024
/** How often a client learns how far its upload is on disk, in ms. */
const SYNC_EVERY_MS = 2000

export interface WriterOptions {
  /** Where to begin in the file, in bytes. */
  start?: number
  /** The memory of the chunks is released after their write. */
  ownsChunks?: boolean
  /** Runs before each write, with the size of the file after it, and may delay it. A failure ends the stream. */
  onBytes?: ((total: number) => Promise<void> | undefined) | undefined
  /** Runs after each write, with the size of the file. */
  onWritten?: ((upTo: number, chunks: readonly Buffer[]) => void) | undefined
  /** Runs now and then while the file is written, with how many bytes are on disk. */
  onSynced?: ((upTo: number) => void) | undefined
}

/** A stream into a file, one write at a time. The file stays open when the stream ends, so that it can be synced. */
export class FileWriter extends Writable {
  #bytes: number
  #syncedUpTo: number
  #syncedAt = performance.now()
  #syncing: Promise<void> | undefined

  constructor(
    private readonly file: FileHandle,
    private readonly options: WriterOptions,
  ) {
    super({ highWaterMark: GATHERED_BYTES, autoDestroy: false })
    this.#bytes = options.start ?? 0
    this.#syncedUpTo = this.#bytes
    // The source learns of a failure from its own promise; without a listener it would end the process.
    this.on('error', () => undefined)
  }

  /** The size of the file so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** Returns once all that is written is on disk. Fails if a sync before has failed. */
  async sync(): Promise<void> {
    await this.#syncing
    await this.file.sync()
  }

  /** Returns how many bytes are on disk when the running write has ended, even after a failure. Fails if a sync has failed. */
  async settle(): Promise<number> {
    await finished(this).catch(() => undefined)
    await this.#syncing
    await this.file.datasync()
    return this.#bytes
  }

  /** Closes the file after the running write. */
  close(): Promise<void> {
    if (this.closed) return Promise.resolve()
    return new Promise((resolve) => this.once('close', () => resolve()).destroy())
  }

  override _writev(items: { chunk: Buffer }[], done: Done): void {
    this.#write(items.map(({ chunk }) => chunk)).then(() => done(), done)
  }

  /** The handle waits for the running write itself. */
  override _destroy(error: Error | null, done: Done): void {
    this.file.close().then(
      () => done(error),
      (failure: unknown) => done(error ?? (failure as Error)),
    )
  }

  async #write(chunks: Buffer[]): Promise<void> {
    const total = chunks.reduce((sum, { length }) => sum + length, this.#bytes)
    await this.options.onBytes?.(total)
    for (let rest = chunks; this.#bytes < total && !this.destroyed;) {
      const { bytesWritten } = await this.file.writev(rest, this.#bytes)
      if (bytesWritten === 0) throw Object.assign(new Error('The disk accepted no more bytes'), { code: 'EIO' })
      this.#bytes += bytesWritten
      rest = after(rest, bytesWritten)
    }
    this.options.onWritten?.(this.#bytes, chunks)
    // The stream still reads the length of a chunk after its callback.
    if (this.options.ownsChunks) setImmediate(releaseMemory, chunks)
    if (this.#syncing === undefined && this.#isSyncDue()) this.#syncMeanwhile()
  }

  #isSyncDue(): boolean {
    const isAwaited = this.options.onSynced !== undefined && performance.now() - this.#syncedAt >= SYNC_EVERY_MS
    return isAwaited || this.#bytes - this.#syncedUpTo >= SYNC_EVERY_BYTES
  }

  #syncMeanwhile(): void {
    const upTo = this.#bytes
    this.#syncedUpTo = upTo
    this.#syncedAt = performance.now()
    const syncing = this.file.datasync().then(() => {
      this.#syncing = undefined
      this.options.onSynced?.(upTo)
    })
    // A failure stays in `#syncing` and fails `sync` and `settle`: the kernel reports it only once.
    syncing.catch(() => undefined)
    this.#syncing = syncing
  }
}

/** What remains of the chunks after a write that a full disk has cut. */
function after(chunks: readonly Buffer[], bytes: number): Buffer[] {
  let left = bytes
  const rest: Buffer[] = []
  for (const chunk of chunks) {
    if (left < chunk.length) rest.push(chunk.subarray(left))
    left = Math.max(0, left - chunk.length)
  }
  return rest
}
