import { tierQuota, type StorageStats, type Tier } from '../../contract'
import { AppError } from '../../core/errors'
import { DiskRoom, type DiskDeps } from './disk-room'

interface QuotaDeps extends DiskDeps {
  /** Bytes of the user's published files. */
  filesOf(userId: string): number
  /** Bytes of what the user has written. */
  textOf(userId: string): number
  byKind(userId: string): StorageStats['by_kind']
  tierOf(userId: string): Tier
}

/** What an upload in progress holds: its owner's quota for all of it, and the disk for what is about to be written. */
export interface Reservation {
  /**
   * Must precede the write of byte number `bytes`, which waits for the promise. Throws `quota_exceeded`; rejects with
   * `disk_full`.
   */
  cover(bytes: number): Promise<void> | undefined
  /** So many of them are on the disk by now: there they need no more room. */
  wrote(bytes: number): void
  /** Nothing is being sent: gives back the disk that was taken ahead. */
  pause(): void
  release(): void
}

/** Quotas, held before the first byte is kept, so that uploads at the same time cannot exceed them together. */
export class Quota {
  readonly #held = new Map<string, number>()
  #heldInAll = 0
  readonly #disk: DiskRoom

  constructor(private readonly deps: QuotaDeps) {
    this.#disk = new DiskRoom(deps)
  }

  stats(userId: string): StorageStats {
    const tier = this.deps.tierOf(userId)
    const used = this.used(userId)
    const quota = tierQuota[tier]
    const size = this.deps.textOf(userId)
    const text = size === 0 ? [] : [{ kind: 'text' as const, files: 0, size }]
    return {
      tier_name: tier,
      used,
      quota,
      percentage: Math.round((used / quota) * 1000) / 10,
      by_kind: this.deps
        .byKind(userId)
        .concat(text)
        .sort((a, b) => b.size - a.size),
    }
  }

  /**
   * Holds `bytes` of the quota for an upload of this user. Of the disk it only looks whether they could fit. Throws
   * `quota_exceeded` or `disk_full`.
   */
  async reserve(userId: string, bytes: number): Promise<Reservation> {
    this.require(userId, bytes)
    const reservation = this.hold(userId, bytes, 0)
    try {
      await this.#disk.requireFor(bytes)
      return reservation
    } catch (cause) {
      reservation.release()
      throw cause
    }
  }

  /** Holds again what an earlier run has granted, whatever has become of the quota since. */
  hold(userId: string, bytes: number, written: number): Reservation {
    const share = this.#disk.share(userId, written)
    let held = 0
    const hold = (more: number) => {
      held += more
      this.#heldInAll += more
      this.#held.set(userId, this.held(userId) + more)
    }
    const claim = (total: number) => {
      if (total <= held) return
      this.require(userId, total - held)
      hold(total - held)
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

  /** Bytes that uploads in progress hold, of one user or of all. */
  held(userId?: string): number {
    return userId === undefined ? this.#heldInAll : (this.#held.get(userId) ?? 0)
  }

  /** Bytes of all that the user keeps. */
  used(userId: string): number {
    return this.deps.filesOf(userId) + this.deps.textOf(userId)
  }

  /** Whether the user's quota has room for so many bytes more. */
  fits(userId: string, more: number): boolean {
    return this.used(userId) + this.held(userId) + more <= tierQuota[this.deps.tierOf(userId)]
  }

  /** Throws `quota_exceeded` unless the user's quota has room for so many bytes more. */
  require(userId: string, more: number): void {
    if (this.fits(userId, more)) return
    throw new AppError(
      'quota_exceeded',
      'Storage quota exceeded: delete files, or ask the host for a larger tier',
      'file',
    )
  }
}
