import { tierQuota, type StorageStats, type Tier } from '../../contract'
import { AppError } from '../../core/errors'
import { limitWords } from '../../texts/format'
import { DiskRoom, type DiskDeps } from './disk-room'

interface QuotaDeps extends DiskDeps {
  filesOf(userId: string): number
  picturesOf(userId: string): number
  textOf(userId: string): number
  byKind(userId: string): StorageStats['by_kind']
  tierOf(userId: string): Tier
  /** In bytes. */
  largestFile(): number
}

/** Reserves an upload's quota in full and its disk step by step. */
export interface Reservation {
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
    const tier = this.deps.tierOf(userId)
    const used = this.used(userId)
    const quota = tierQuota[tier]
    const others = [
      { kind: 'pictures' as const, files: 0, size: this.deps.picturesOf(userId) },
      { kind: 'text' as const, files: 0, size: this.deps.textOf(userId) },
    ]

    return {
      tier_name: tier,
      used,
      quota,
      free: Math.max(0, Math.min(quota - used, await this.#disk.available())),
      percentage: Math.round((used / quota) * 1000) / 10,
      largest_file: this.deps.largestFile(),
      by_kind: this.deps
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

    hold(bytes)

    return {
      cover(total) {
        claim(total)
        return share.cover(total, bytes)
      },
      wrote: (total) => share.wrote(total),
      pause: () => share.pause(),
      release() {
        hold(-held)
        share.end()
      },
    }
  }

  /** Bytes reserved by uploads, of one user or in total. */
  held(userId?: string): number {
    return userId === undefined ? this.#heldInAll : (this.#held.get(userId) ?? 0)
  }

  used(userId: string): number {
    return this.deps.filesOf(userId) + this.deps.picturesOf(userId) + this.deps.textOf(userId)
  }

  fits(userId: string, more: number): boolean {
    return this.used(userId) + this.held(userId) + more <= tierQuota[this.deps.tierOf(userId)]
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
