import { releaseMemory } from '../../data/blobs/file-writer'
import type { ByteRange } from '../../core/byte-source'

const KIB = 1024
/** Limit of large blocks in use, 16 MiB in all, as clients that stop reading occupy theirs. */
const MOST_LARGE = 32

/** Bytes to send. */
export interface Source {
  /** Equal names have equal bytes. */
  name: string
  /** Fills all of `into` from a position. */
  fill(into: Buffer, position: number): Promise<void>
}

/**
 * Passes the bytes of a taken block on, which stay unchanged until `send` returns, and lets go of
 * it. Call it once. `isShared`: another reply has the block too.
 */
export type Lease = (
  send: (bytes: Buffer, isShared: boolean) => Promise<void> | void,
) => Promise<void>

interface Block {
  key: string
  buffer: Buffer
  /** The bytes in the buffer, once they are read. */
  reading: Promise<Buffer>
  users: number
}

/**
 * The memory of downloads. Replies that send the same bytes, such as a new build, share one read.
 * Reuses buffers, because Node 24 frees them only in full collections, whose cost grows with the
 * library.
 */
export class SharedBlocks {
  readonly #small = new Pool(64 * KIB, 32)
  readonly #large = new Pool(512 * KIB, 2)

  /** Blocks in use. */
  get used(): number {
    return this.#small.used + this.#large.used
  }

  /** Reads all bytes again from now on: what a name stands for was mended. */
  forget(): void {
    this.#small.forget()
    this.#large.forget()
  }

  /** Takes a block with the first bytes of a range. */
  take(source: Source, range: ByteRange, isFast: boolean): Lease {
    return (isFast ? this.takeLarge(source, range) : undefined) ?? this.#small.take(source, range)
  }

  /** Undefined while too many are in use. */
  takeLarge(source: Source, range: ByteRange): Lease | undefined {
    return this.#large.used < MOST_LARGE ? this.#large.take(source, range) : undefined
  }
}

/** Blocks of one size. */
class Pool {
  readonly #blocks = new Map<string, Block>()
  /** Blocks without users, longest idle first. */
  readonly #idle = new Set<Block>()

  /**
   * `keep`: idle blocks to keep, at most twice as many. The buffers of more would leave the CPU
   * cache.
   */
  constructor(
    private readonly size: number,
    private readonly keep: number,
  ) {}

  get used(): number {
    return this.#blocks.size - this.#idle.size
  }

  /** Blocks in use go with their last user. */
  forget(): void {
    this.#blocks.clear()
    this.#idle.clear()
  }

  take(source: Source, { start, end }: ByteRange): Lease {
    // Blocks end at multiples of their size, so that downloads that start at different positions
    // share them too.
    const aligned = (Math.floor(start / this.size) + 1) * this.size - 1
    const range = { start, end: end - start < this.size ? end : aligned }
    const key = `${source.name} ${range.start}-${range.end}`
    const block = this.#blocks.get(key) ?? this.#load(source, key, range)
    this.#idle.delete(block)
    block.users++
    return (send) => this.#pass(block, send)
  }

  async #pass(block: Block, send: Parameters<Lease>[0]): Promise<void> {
    try {
      await send(await block.reading, block.users > 1)
    } catch (cause) {
      // The system may still read the buffer for the lost connection, so it is not reused.
      if (this.#holds(block)) this.#blocks.delete(block.key)
      throw cause
    } finally {
      this.#letGo(block)
    }
  }

  #load(source: Source, key: string, { start, end }: ByteRange): Block {
    const idle = this.#idle.size < this.keep ? undefined : this.#evict()
    const buffer = idle ?? Buffer.allocUnsafeSlow(this.size)
    const bytes = buffer.subarray(0, end - start + 1)
    const block = { key, buffer, reading: source.fill(bytes, start).then(() => bytes), users: 0 }
    // A read ahead can fail before anyone waits for it.
    block.reading.catch(() => undefined)
    this.#blocks.set(key, block)
    return block
  }

  #evict(): Buffer | undefined {
    const [oldest] = this.#idle
    if (oldest === undefined) return undefined
    this.#idle.delete(oldest)
    this.#blocks.delete(oldest.key)
    return oldest.buffer
  }

  #holds(block: Block): boolean {
    return this.#blocks.get(block.key) === block
  }

  #letGo(block: Block): void {
    if (--block.users > 0 || !this.#holds(block)) return
    this.#idle.add(block)
    const extra = this.#idle.size > 2 * this.keep ? this.#evict() : undefined
    if (extra) releaseMemory([extra])
  }
}
