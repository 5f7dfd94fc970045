import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'

type Done = (error?: Error | null) => void

/** How much may gather before the source has to wait, and how much is handed to the disk at once. */
const BATCH_BYTES = 1024 * 1024
/** The disk is set to work this often, so that the sync at the end of a big file does not take long. */
const SYNC_EVERY_BYTES = 32 * 1024 * 1024

/** A stream into a file that counts and hashes what it writes. It stays open when it ends, so that it can be synced. */
export class HashingFile extends Writable {
  readonly #hash = createHash('sha256')
  #bytes = 0
  #syncedUpTo = 0
  #syncing: Promise<void> | undefined

  constructor(
    private readonly file: FileHandle,
    private readonly onBytes: (total: number) => void,
  ) {
    super({ highWaterMark: BATCH_BYTES, autoDestroy: false })
    // Whoever writes hears of a failure by its own means; here it must only not end the process.
    this.on('error', () => undefined)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Returns once everything is on disk, with the hash of it. Fails if any sync before has failed. */
  async seal(): Promise<string> {
    await this.#syncing
    await this.file.sync()
    return this.#hash.digest('hex')
  }

  /** Waits for what is under way, then lets go of the file. */
  close(): Promise<void> {
    if (this.closed) return Promise.resolve()
    return new Promise((resolve) => this.once('close', () => resolve()).destroy())
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#take([chunk]).then(() => done(), done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    this.#take(chunks.map(({ chunk }) => chunk)).then(() => done(), done)
  }

  /** The handle waits by itself for operations under way, so no late write can meet a descriptor of somebody else. */
  override _destroy(error: Error | null, done: Done): void {
    this.file.close().then(
      () => done(error),
      (failure: unknown) => done(error ?? (failure as Error)),
    )
  }

  async #take(chunks: Buffer[]): Promise<void> {
    const total = chunks.reduce((sum, chunk) => sum + chunk.length, this.#bytes)
    this.onBytes(total)
    const written = writeAllOf(this.file, chunks)
    for (const chunk of chunks) this.#hash.update(chunk)
    await written
    this.#bytes = total
    this.#syncNowAndThen()
  }

  #syncNowAndThen(): void {
    if (this.#syncing !== undefined || this.#bytes - this.#syncedUpTo < SYNC_EVERY_BYTES) return
    this.#syncedUpTo = this.#bytes
    const syncing = this.file.datasync().then(() => (this.#syncing = undefined))
    // A failure stays in `#syncing` for good and fails the seal: a failed sync is never tried again.
    syncing.catch(() => undefined)
    this.#syncing = syncing
  }
}

/** Writes every byte of every chunk. A full disk may shorten a write without any error; only the next one reports it. */
async function writeAllOf(file: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  let rest = after(chunks, 0)
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest)
    if (bytesWritten === 0) throw Object.assign(new Error('The disk took no more bytes'), { code: 'EIO' })
    rest = after(rest, bytesWritten)
  }
}

/** What remains of the chunks after so many bytes. */
function after(chunks: readonly Buffer[], bytes: number): Buffer[] {
  const rest: Buffer[] = []
  for (const chunk of chunks) {
    if (bytes < chunk.length) rest.push(chunk.subarray(bytes))
    bytes = Math.max(0, bytes - chunk.length)
  }
  return rest
}
