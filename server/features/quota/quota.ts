import { KB, MB, tierQuota, type StorageStats, type Tier } from '../../contract'
import { AppError, diskFull } from '../../core/errors'
import { limitWords } from '../../texts/format'
import { Serial } from '../../core/serial'
import type { AccountUsage } from './account-usage'

interface QuotaDeps extends DiskDeps {
  users: { tierOf(userId: string): Tier }
  files: {
    usedBy(userId: string): number
    byKind(userId: string): StorageStats['by_kind']
  }
  usage: Pick<AccountUsage, 'pictures' | 'reports' | 'textOf'>
  /** In bytes. */
  largestFile(): number
}

/** Reserves an upload's quota in full and its disk step by step. */
export interface Reservation extends Disposable {
  /**
   * Call before writing byte `bytes`, and await the result. Throws `quota_exceeded`, which releases
   * the reservation. Rejects with `disk_full`.
   */
  cover(bytes: number): Promise<void> | undefined
  wrote(bytes: number): void
  /** Releases the disk reservation while nothing is sent. */
  pause(): void
  release(): void
}

/** Reserves the disk for bytes that the quota has already, such as those of an import. */
type DiskReservation = Pick<Reservation, 'cover' | 'wrote'> & Disposable

/** Reserves quota before the first byte, so that concurrent uploads cannot exceed it. */
export class Quota {
  readonly #held = new Map<string, number>()
  #heldInAll = 0
  readonly #disk: DiskRoom

  constructor(private readonly deps: QuotaDeps) {
    this.#disk = new DiskRoom(deps)
  }

  /** Returns the bytes that uploads of all accounts may still bring to the disk. */
  room(): Promise<number> {
    return this.#disk.available()
  }

  async stats(userId: string): Promise<StorageStats> {
    const { files, usage, users } = this.deps
    const tier = users.tierOf(userId)
    const used = this.used(userId)
    const quota = tierQuota[tier]
    const others = [
      { kind: 'pictures' as const, files: 0, size: usage.pictures.get(userId) },
      { kind: 'reports' as const, files: 0, size: usage.reports.get(userId) },
      { kind: 'text' as const, files: 0, size: usage.textOf(userId) },
    ]

    return {
      tier_name: tier,
      used,
      quota,
      free: Math.max(0, Math.min(quota - used, await this.#disk.available())),
      percentage: Math.round((used / quota) * 1000) / 10,
      largest_file: this.deps.largestFile(),
      by_kind: files
        .byKind(userId)
        .concat(others.filter(({ size }) => size > 0))
        .sort((a, b) => b.size - a.size),
    }
  }

  /** Throws `too_large` above the size that the host allows. */
  requireSize(bytes: number): void {
    const largest = this.deps.largestFile()
    if (bytes > largest)
      throw new AppError('too_large', `The file is larger than ${limitWords(largest)}`, 'file')
  }

  /**
   * Reserves `bytes` of the user's quota, and checks that they fit on the disk (`bytesHere`, if the
   * disk never has all of them). Throws `quota_exceeded` or `disk_full`.
   */
  async reserve(
    userId: string,
    bytes: number,
    payer: Payer = OWN,
    bytesHere = bytes,
  ): Promise<Reservation> {
    this.require(userId, bytes, payer)
    const reservation = this.hold(userId, bytes, 0, payer)

    try {
      await this.#disk.requireFor(bytesHere)
      return reservation
    } catch (cause) {
      reservation.release()
      throw cause
    }
  }

  /** Reserves the disk step by step, whatever the quota. Throws `disk_full`. */
  async reserveDisk(userId: string, bytes: number): Promise<DiskReservation> {
    await this.#disk.requireFor(bytes)
    const share = this.#disk.share(userId, 0)

    return {
      cover: (total) => share.cover(total, bytes),
      wrote: (total) => share.wrote(total),
      [Symbol.dispose]: () => share.end(),
    }
  }

  /** Restores a reservation of an earlier run, regardless of the current quota. */
  hold(userId: string, bytes: number, written: number, payer: Payer = OWN): Reservation {
    const share = this.#disk.share(userId, written)
    let held = 0

    const hold = (more: number) => {
      held += more
      this.#heldInAll += more
      this.#held.set(userId, this.held(userId) + more)
    }

    const claim = (total: number) => {
      const more = total - held
      if (more <= 0) return
      if (!this.fits(userId, more)) {
        // Release first: several growing uploads could otherwise all be refused, although some
        // would fit.
        hold(-held)
        throw quotaError(payer)
      }
      hold(more)
    }

    const release = () => {
      hold(-held)
      share.end()
    }

    hold(bytes)

    return {
      cover(total) {
        claim(total)
        return share.cover(total, bytes)
      },
      wrote: (total) => share.wrote(total),
      pause: () => share.pause(),
      release,
      [Symbol.dispose]: release,
    }
  }

  /** Bytes reserved by uploads, of one user or in total. */
  held(userId?: string): number {
    return userId === undefined ? this.#heldInAll : (this.#held.get(userId) ?? 0)
  }

  used(userId: string): number {
    const { files, usage } = this.deps
    const stored = files.usedBy(userId) + usage.pictures.get(userId) + usage.reports.get(userId)
    return stored + usage.textOf(userId)
  }

  fits(userId: string, more: number): boolean {
    return this.used(userId) + this.held(userId) + more <= tierQuota[this.deps.users.tierOf(userId)]
  }

  /** Throws `quota_exceeded` unless `more` bytes fit. */
  require(userId: string, more: number, payer: Payer = OWN): void {
    if (!this.fits(userId, more)) throw quotaError(payer)
  }
}

/** The account that pays for the bytes. */
interface Payer {
  /** False if the project's owner pays for a maintainer. */
  isOwn: boolean
}
const OWN: Payer = { isOwn: true }

function quotaError({ isOwn }: Payer): AppError {
  const message = isOwn
    ? 'Storage quota exceeded: delete files, or ask the host for a larger tier'
    : 'Storage quota exceeded: files of this project use the storage of its owner. ' +
      'Ask them to make room'
  return new AppError('quota_exceeded', message, 'file')
}

/** Bytes kept free on the disk, so that deletes can be saved. */
const DISK_RESERVE = 64 * MB
/** An upload reserves as many bytes ahead as it has received, within these limits. */
const LEAST_STEP = 256 * KB
const MOST_STEP = 8 * MB

interface DiskDeps {
  freeDisk(): Promise<number>
  inTrash(): number
  /** Frees up to `bytes` by emptying the trash, starting with this user's. */
  makeRoom(bytes: number, userId: string): Promise<void>
}

/** Shares the disk between uploads. An idle upload reserves nothing. */
class DiskRoom {
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
class DiskShare {
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
