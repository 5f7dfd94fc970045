import type { FileHandle } from 'node:fs/promises'
import { inLane } from './write-lanes'

/** So many batches may be on their way to the disk, while the next one gathers. */
const IN_FLIGHT = 2

interface Options {
  /** Where the first chunk goes, in bytes; 0 without it. */
  start?: number
  /** How much to gather for one write, in bytes; asked for each. */
  batchBytes(): number
  /** Hears how far the file is written without a gap, and which chunks are no longer needed. */
  written(upTo: number, chunks: readonly Buffer[]): void
}

/**
 * Writes chunks into a file in large batches, each at its own position, so that two of them may be on their way and end
 * in any order. A failure is kept: nothing is written after it.
 */
export class BatchWriter {
  #chunks: Buffer[] = []
  #gathered = 0
  /** Where the next batch begins. */
  #position: number
  /** Where what is written without a gap ends, and batches that are written behind a gap: their end by their start. */
  #solid: number
  readonly #islands = new Map<number, number>()
  readonly #running = new Set<Promise<void>>()
  #failure: Error | undefined

  constructor(
    private readonly file: FileHandle,
    private readonly options: Options,
  ) {
    this.#position = this.#solid = options.start ?? 0
  }

  /** Takes a chunk, which must not change any more. */
  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#gathered += chunk.length
    if (this.#isDue() && this.#running.size < IN_FLIGHT) this.#flush()
  }

  /** Returns, as soon as there is room for a further chunk, without waiting (undefined) or later. Throws a failure. */
  room(): Promise<void> | undefined {
    if (this.#failure) return Promise.reject(this.#failure)
    return this.#isDue() ? this.#makeRoom() : undefined
  }

  /** Returns when everything is written. Throws a failure. */
  async drain(): Promise<void> {
    if (this.#gathered > 0) this.#flush()
    await Promise.all(this.#running)
    if (this.#failure) throw this.#failure
  }

  #isDue(): boolean {
    return this.#gathered >= this.options.batchBytes()
  }

  async #makeRoom(): Promise<void> {
    await Promise.race(this.#running)
    if (this.#failure) throw this.#failure
    if (this.#isDue()) this.#flush()
  }

  #flush(): void {
    const chunks = this.#chunks
    const start = this.#position
    const end = this.#position + this.#gathered
    this.#chunks = []
    this.#gathered = 0
    this.#position = end
    const writing = this.#write(chunks, start, end)
      .catch((error: unknown) => {
        this.#failure ??= error as Error
      })
      .then(() => void this.#running.delete(writing))
    this.#running.add(writing)
  }

  async #write(chunks: readonly Buffer[], start: number, end: number): Promise<void> {
    await writeAllOf(this.file, chunks, start)
    this.#islands.set(start, end)
    for (let next = this.#islands.get(this.#solid); next !== undefined; next = this.#islands.get(this.#solid)) {
      this.#islands.delete(this.#solid)
      this.#solid = next
    }
    this.options.written(this.#solid, chunks)
  }
}

/** Writes every byte of every chunk. A full disk may shorten a write without any error; only the next one reports it. */
async function writeAllOf(file: FileHandle, chunks: readonly Buffer[], position: number): Promise<void> {
  let rest = after(chunks, 0)
  while (rest.length > 0) {
    const { bytesWritten } = await inLane(() => file.writev(rest, position))
    if (bytesWritten === 0) throw Object.assign(new Error('The disk accepted no more bytes'), { code: 'EIO' })
    position += bytesWritten
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
