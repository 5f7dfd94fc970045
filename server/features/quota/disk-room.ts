import { KB, MB } from '../../contract'
import { diskFull } from '../../core/errors'

/** What is always left free on the disk, in bytes, so that deletes can still be saved. */
const DISK_RESERVE = 64 * MB
/** An upload takes the disk ahead by as much again as has arrived, within these bounds, in bytes. */
const LEAST_STEP = 256 * KB
const MOST_STEP = 8 * MB

export interface DiskDeps {
  /** Bytes that are free on the disk. */
  freeDisk(): Promise<number>
  /** Bytes that emptying the trash would free. */
  inTrash(): number
  /** Frees up to so many bytes on the disk by emptying the trash, that of this user first. */
  makeRoom(bytes: number, userId: string): Promise<void>
}

/** The disk as uploads share it. An upload that sends nothing takes none of it. */
export class DiskRoom {
  /** Bytes that uploads may write and have not yet written. */
  #promised = 0
  #emptying: Promise<unknown> = Promise.resolve()

  constructor(private readonly deps: DiskDeps) {}

  /** Throws `disk_full` where so many bytes would not fit even with an empty trash. Takes and deletes nothing. */
  async requireFor(bytes: number): Promise<void> {
    const free = await this.deps.freeDisk()
    if (bytes > this.#left(free) + this.deps.inTrash()) throw diskFull()
  }

  /** The share of one upload of this user, of which `written` bytes are on the disk. */
  share(userId: string, written: number): DiskShare {
    return new DiskShare(this, userId, written)
  }

  /** Takes `least` to `wanted` bytes, and answers how many. Throws `disk_full`. */
  async take(userId: string, least: number, wanted: number): Promise<number> {
    let free = await this.deps.freeDisk()
    if (this.#left(free) < least) free = await this.#emptyTrash(userId, least, wanted)
    const left = this.#left(free)
    if (left < least) throw diskFull()
    const taken = Math.min(wanted, left)
    this.#promised += taken
    return taken
  }

  /** These bytes are written, or will not be. */
  settle(bytes: number): void {
    this.#promised -= bytes
  }

  /** One at a time, so that two uploads do not empty the trash for the same bytes. Answers what is free then. */
  #emptyTrash(userId: string, least: number, wanted: number): Promise<number> {
    const run = async () => {
      const left = this.#left(await this.deps.freeDisk())
      if (left < least) await this.deps.makeRoom(wanted - left, userId)
      return this.deps.freeDisk()
    }
    const emptied = this.#emptying.then(run)
    this.#emptying = emptied.catch(() => undefined)
    return emptied
  }

  #left(free: number): number {
    return free - DISK_RESERVE - this.#promised
  }
}

/** What one upload holds of the disk: never more than a step beyond what has arrived. */
export class DiskShare {
  #end: number
  #isOver = false

  constructor(
    private readonly disk: DiskRoom,
    private readonly userId: string,
    /** How far the bytes are on the disk. */
    private at: number,
  ) {
    this.#end = at
  }

  /** Must precede the write of byte `total` of those that are announced. Undefined: there is room. Rejects with `disk_full`. */
  cover(total: number, announced: number): Promise<void> | undefined {
    return total > this.#end ? this.#extend(total, announced) : undefined
  }

  /** So many bytes are on the disk by now. */
  wrote(total: number): void {
    if (total <= this.at || total > this.#end) return
    this.disk.settle(total - this.at)
    this.at = total
  }

  /** Gives back what was taken ahead. */
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
