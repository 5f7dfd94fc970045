import type { SlabPool } from './slab-pool'

/** So many bytes that nobody uses any more stay for those who send the same a little later. */
const RESTING_BYTES = 4 * 1024 * 1024

/** Reads `length` bytes from a position into a slab; answers how many there were. */
type Read = (slab: Buffer, length: number, position: number) => Promise<number>

interface Wanted {
  position: number
  most: number
  left: number
}

/** A part of some bytes in memory. It does not change until all who have taken it have let go. */
export interface Block {
  readonly shelf: Shelf
  readonly slab: Buffer
  readonly start: number
  /** Exclusive. While the block is being read, where it would end. */
  end: number
  users: number
  /** Whether the system may use the slab even when everybody has let go. */
  isSpoilt: boolean
}

/** The blocks of bytes that one or more answers are sending. */
export interface Shelf {
  readonly name: string
  answers: number
  readonly blocks: Map<Block, Promise<unknown>>
}

/**
 * The memory of what is being sent. Answers that send the same bytes at about the same time, as when a new build is out,
 * read them once: measured here, copying from far memory costs six times as much as from what the CPU has near.
 */
export class SharedBlocks {
  readonly #shelves = new Map<string, Shelf>()
  /** Without users, the one that rests longest first. */
  readonly #resting = new Set<Block>()
  #restingBytes = 0

  constructor(private readonly pool: SlabPool) {}

  /** An answer begins; whatever has the same name has the same bytes. */
  enter(name: string): Shelf {
    const shelf = this.#shelves.get(name) ?? { name, answers: 0, blocks: new Map() }
    this.#shelves.set(name, shelf)
    shelf.answers++
    return shelf
  }

  /** An answer has ended, and has let go of all its blocks. */
  leave(shelf: Shelf): void {
    if (--shelf.answers > 1) return
    for (const block of shelf.blocks.keys()) if (this.#resting.has(block)) this.#forget(block)
    if (shelf.answers === 0) this.#shelves.delete(shelf.name)
  }

  /**
   * A block with the byte at `position`, whose slab has at most `most` bytes. Only the first who wants it reads, and not
   * more than what is `left`.
   */
  async take(shelf: Shelf, { position, most, left }: Wanted, read: Read): Promise<Block> {
    for (;;) {
      const block = find(shelf, position, most)
      if (block === undefined) return this.#load(shelf, position, Math.min(most, left), read)
      this.#rouse(block)
      const isThere = await shelf.blocks.get(block)?.then(
        () => position < block.end,
        () => false,
      )
      if (isThere === true) return block
      this.letGo(block)
    }
  }

  /** One of those who have taken it needs it no more. */
  letGo(block: Block): void {
    if (--block.users > 0) return
    this.#resting.add(block)
    this.#restingBytes += block.slab.length
    if (block.isSpoilt || block.shelf.answers <= 1) this.#forget(block)
    for (const oldest of this.#resting) {
      if (this.#restingBytes <= RESTING_BYTES) break
      this.#forget(oldest)
    }
  }

  async #load(shelf: Shelf, position: number, length: number, read: Read): Promise<Block> {
    const slab = this.pool.lend(length)
    const end = position + Math.min(slab.length, length)
    const block: Block = { shelf, slab, start: position, end, users: 1, isSpoilt: false }
    const reading = read(slab, end - position, position)
    shelf.blocks.set(block, reading)
    try {
      block.end = position + (await reading)
      return block
    } catch (error) {
      spoil(block)
      this.letGo(block)
      throw error
    }
  }

  /** Counts a further user. */
  #rouse(block: Block): void {
    block.users++
    if (this.#resting.delete(block)) this.#restingBytes -= block.slab.length
  }

  #forget(block: Block): void {
    this.#resting.delete(block)
    this.#restingBytes -= block.slab.length
    block.shelf.blocks.delete(block)
    if (block.isSpoilt) this.pool.drop(block.slab)
    else this.pool.takeBack(block.slab)
  }
}

/** Nobody else takes this block, and its slab is not used again. */
export function spoil(block: Block): void {
  block.isSpoilt = true
  block.shelf.blocks.delete(block)
}

/** What is larger than wanted is passed over: a client that stops reading keeps it. */
function find({ blocks }: Shelf, position: number, most: number): Block | undefined {
  for (const block of blocks.keys()) {
    if (block.start <= position && position < block.end && block.slab.length <= most) return block
  }
  return undefined
}
