import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'

type Done = (error?: Error | null) => void

/** Chunks that arrive during a write are written together, up to this size. */
const GATHERED_BYTES = 1024 * 1024
/** Batch size while several files are written, because other requests wait for each batch. */
const SHARED_BYTES = 512 * 1024
/** Regular syncs keep the final sync of a large file short. */
const SYNC_EVERY_BYTES = 32 * 1024 * 1024
/** How often to report to the client how much of its upload is on disk, in ms. */
const SYNC_EVERY_MS = 2000

export interface WriterOptions {
  /** The offset to start at, in bytes. */
  start?: number
  ownsChunks?: boolean
  /** False: the file need not survive a power cut. */
  syncs?: boolean
  /** Called before each write with the new file size; may delay it. An error ends the stream. */
  onBytes?: ((total: number) => Promise<void> | undefined) | undefined
  onWritten?: ((upTo: number, chunks: readonly Buffer[]) => void) | undefined
  /** Called at intervals with the number of bytes on disk. */
  onSynced?: ((upTo: number) => void) | undefined
}

/**
 * A stream into a file, one write at a time. The file stays open at the end, so that it can be
 * synced.
 */
export class FileWriter extends Writable {
  static #open = 0
  #bytes: number
  #syncedUpTo: number
  #syncedAt = performance.now()
  #syncing: Promise<void> | undefined

  constructor(
    private readonly file: FileHandle,
    private readonly options: WriterOptions,
  ) {
    super({
      highWaterMark: FileWriter.#open++ === 0 ? GATHERED_BYTES : SHARED_BYTES,
      autoDestroy: false,
    })

    this.#bytes = options.start ?? 0
    this.#syncedUpTo = this.#bytes
    // The source gets the error from its own promise; without a listener it would end the process.
    this.on('error', () => undefined)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Flushes the file to disk. Fails if an earlier sync failed. */
  async sync(): Promise<void> {
    await this.#syncing
    if (this.options.syncs !== false) await this.file.sync()
  }

  /**
   * Waits for the running write, even a failed one; returns how many bytes are on disk. Fails if a
   * sync failed.
   */
  async settle(): Promise<{ offset: number }> {
    await finished(this).catch(() => undefined)
    await this.#syncing
    await this.file.datasync()
    return { offset: this.#bytes }
  }

  close(): Promise<void> {
    if (this.closed) return Promise.resolve()
    return new Promise((resolve) => this.once('close', () => resolve()).destroy())
  }

  override _writev(items: { chunk: Buffer }[], done: Done): void {
    this.#write(items.map(({ chunk }) => chunk)).then(() => done(), done)
  }

  /** The file handle waits for the running write itself. */
  override _destroy(error: Error | null, done: Done): void {
    FileWriter.#open--
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
      if (bytesWritten === 0)
        throw Object.assign(new Error('The disk accepted no more bytes'), { code: 'EIO' })
      this.#bytes += bytesWritten
      rest = after(rest, bytesWritten)
    }

    this.options.onWritten?.(this.#bytes, chunks)
    // The stream reads the length of a chunk after its callback.
    if (this.options.ownsChunks) setImmediate(releaseMemory, chunks)

    if (this.options.syncs !== false && this.#syncing === undefined && this.#isSyncDue())
      this.#syncMeanwhile()
  }

  #isSyncDue(): boolean {
    const isAwaited =
      this.options.onSynced !== undefined && performance.now() - this.#syncedAt >= SYNC_EVERY_MS
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

function after(chunks: readonly Buffer[], bytes: number): Buffer[] {
  let remaining = bytes
  const rest: Buffer[] = []
  for (const chunk of chunks) {
    if (remaining < chunk.length) rest.push(chunk.subarray(remaining))
    remaining = Math.max(0, remaining - chunk.length)
  }
  return rest
}

/** Smaller buffers may be part of a pool and are not worth the call. */
const LEAST_BYTES = 8 * 1024

/**
 * Releases the memory of chunks immediately. Otherwise Node frees it in full collections: 15 to 26
 * per GiB of upload, each slower with a larger library. Only for whole buffers that are no longer
 * read: they are empty afterwards.
 */
export function releaseMemory(chunks: readonly Buffer[]): void {
  for (const { buffer, byteOffset, byteLength } of chunks) {
    const isWhole =
      byteOffset === 0 && byteLength === buffer.byteLength && byteLength >= LEAST_BYTES
    if (isWhole && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
  }
}
