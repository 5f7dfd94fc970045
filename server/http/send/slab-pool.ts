import { releaseMemory } from '../../data/blobs/release-memory'

/** Slab sizes in bytes. The smallest is always available, so downloads never wait for memory. */
const SIZES = [16 * 1024, 64 * 1024, 256 * 1024, 512 * 1024] as const

const MIB = 1024 * 1024

/**
 * Lends read buffers, so that downloads make no garbage: on Node 24 only full collections, whose cost grows with the
 * library, reclaim short-lived buffers. Slabs shrink as the pool fills.
 */
export class SlabPool {
  readonly #free = new Map<number, Buffer[]>(SIZES.map((size) => [size, []]))
  #lent = 0

  /** `budget`: bytes on loan above which only the smallest slabs are lent. `keep`: free bytes kept for reuse. */
  constructor(
    private readonly budget = 16 * MIB,
    private readonly keep = 16 * MIB,
  ) {}

  get lent(): number {
    return this.#lent
  }

  /** Lends a slab for `wanted` bytes, or a smaller one when the pool runs low. */
  lend(wanted: number): Buffer {
    const size = this.#sizeFor(wanted)
    this.#lent += size
    return this.#free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size)
  }

  takeBack(slab: Buffer): void {
    this.drop(slab)
    const free = this.#free.get(slab.length)
    // Each size has its share: large slabs above the budget must not evict small ones.
    if (free && (free.length + 1) * slab.length <= this.keep / SIZES.length) free.push(slab)
    else releaseMemory([slab])
  }

  /** Writes off a slab that the system may still use, such as that of an aborted connection. */
  drop(slab: Buffer): void {
    this.#lent -= slab.length
  }

  /** The smallest size that fits `wanted`, within the budget. Larger sizes need more of it left. */
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
