import { KB, MB } from '../../contract'
import { diskFull } from '../../core/errors'
import { Serial } from '../../core/serial'

/** Bytes kept free on the disk, so that deletes can be saved. */
const DISK_RESERVE = 64 * MB
/** An upload reserves as many bytes ahead as it has received, within these limits. */
const LEAST_STEP = 256 * KB
const MOST_STEP = 8 * MB

export interface DiskDeps {
  freeDisk(): Promise<number>
  inTrash(): number
  /** Frees up to `bytes` by emptying the trash, starting with this user's. */
  makeRoom(bytes: number, userId: string): Promise<void>
}

/** Shares the disk between uploads. An idle upload reserves nothing. */
export class DiskRoom {
  /** Bytes reserved but not yet written. */
  #promised = 0
  readonly #emptying = new Serial()

  constructor(private readonly deps: DiskDeps) {}

  /** Throws `disk_full` when `bytes` would not fit even with an empty trash. Reserves nothing. */
  async requireFor(bytes: number): Promise<void> {
    if (bytes > (await this.available())) throw diskFull()
  }

  /** Returns the bytes that uploads may still bring, with an empty trash. */
  async available(): Promise<number> {
    return Math.max(0, this.#left(await this.deps.freeDisk()) + this.deps.inTrash())
  }

  share(userId: string, written: number): DiskShare {
    return new DiskShare(this, userId, written)
  }

  /** Reserves `least` to `most` bytes and returns how many. Throws `disk_full`. */
  async take(userId: string, least: number, most: number): Promise<number> {
    let free = await this.deps.freeDisk()
    if (this.#left(free) < least) free = await this.#emptyTrash(userId, least, most)
    const available = this.#left(free)
    if (available < least) throw diskFull()
    const bytes = Math.min(most, available)
    this.#promised += bytes
    return bytes
  }

  settle(bytes: number): void {
    this.#promised -= bytes
  }

  /**
   * Empties the trash for one upload at a time, so that two uploads do not use the same bytes.
   * Returns the free bytes.
   */
  #emptyTrash(userId: string, least: number, most: number): Promise<number> {
    return this.#emptying.run(async () => {
      const available = this.#left(await this.deps.freeDisk())
      if (available < least) await this.deps.makeRoom(most - available, userId)
      return this.deps.freeDisk()
    })
  }

  #left(free: number): number {
    return free - DISK_RESERVE - this.#promised
  }
}

/** The disk reservation of one upload, at most one step ahead of its bytes. */
export class DiskShare {
  #end: number
  #isOver = false

  constructor(
    private readonly disk: DiskRoom,
    private readonly userId: string,
    private at: number,
  ) {
    this.#end = at
  }

  /**
   * Call before writing byte `total`. Returns undefined if there is room. Rejects with `disk_full`.
   */
  cover(total: number, announced: number): Promise<void> | undefined {
    return total > this.#end ? this.#extend(total, announced) : undefined
  }

  wrote(total: number): void {
    if (total <= this.at || total > this.#end) return
    this.disk.settle(total - this.at)
    this.at = total
  }

  pause(): void {
    this.disk.settle(this.#end - this.at)
    this.#end = this.at
  }

  end(): void {
    this.pause()
    this.#isOver = true
  }

  async #extend(total: number, announced: number): Promise<void> {
    const ahead = total + Math.min(Math.max(total, LEAST_STEP), MOST_STEP)
    const goal = announced < total ? ahead : Math.min(announced, ahead)
    this.#end += await this.disk.take(this.userId, total - this.#end, goal - this.#end)
    if (this.#isOver) this.pause()
  }
}
