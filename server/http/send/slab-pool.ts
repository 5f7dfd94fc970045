import { releaseMemory } from '../../data/blobs/release-memory'

/** Sizes of slabs, in bytes. The smallest is always lent: a download never waits for memory. */
const SIZES = [16 * 1024, 64 * 1024, 256 * 1024, 512 * 1024] as const

const MIB = 1024 * 1024

/**
 * Lends memory for reading files, so that downloads make no garbage: on Node 24 short-lived buffers are reclaimed by
 * full collections, whose cost grows with the library. The fuller the pool is lent, the smaller the slabs.
 */
export class SlabPool {
  readonly #free = new Map<number, Buffer[]>(SIZES.map((size) => [size, []]))
  #lent = 0

  /** `budget`: bytes on loan above which only the smallest slabs are lent. `keep`: bytes that stay for the next. */
  constructor(
    private readonly budget = 16 * MIB,
    private readonly keep = 16 * MIB,
  ) {}

  /** Bytes on loan. */
  get lent(): number {
    return this.#lent
  }

  /** A slab for reading `wanted` bytes at a time; smaller where little is left to read or to lend. */
  lend(wanted: number): Buffer {
    const size = this.#sizeFor(wanted)
    this.#lent += size
    return this.#free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size)
  }

  /** Takes back a slab that nobody reads into or writes from any more. */
  takeBack(slab: Buffer): void {
    this.drop(slab)
    const free = this.#free.get(slab.length)
    // Each size has its share: slabs that nobody can afford at the moment must not crowd out the small ones.
    if (free && (free.length + 1) * slab.length <= this.keep / SIZES.length) free.push(slab)
    else releaseMemory([slab])
  }

  /** Writes off a slab that the system may still use, such as that of an aborted connection. */
  drop(slab: Buffer): void {
    this.#lent -= slab.length
  }

  /**
   * Bytes: the smallest that holds what is wanted, as far as the budget goes. Each
   * larger size needs more of it to be left.
   */
  #sizeFor(wanted: number): number {
    const fitting = SIZES.findIndex((size) => size >= wanted)
    let index = fitting < 0 ? SIZES.length - 1 : fitting
    while (index > 0 && !this.#affords(index)) index--
    return SIZES[index] ?? SIZES[0]
  }

  #affords(index: number): boolean {
    const share = 1 - (index - 1) / SIZES.length
    return this.#lent + (SIZES[index] ?? 0) <= this.budget * share
  }
}
