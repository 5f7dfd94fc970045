import { MB, tierQuota, type StorageStats, type Tier } from '../../contract'
import { AppError, diskFull } from '../../errors'

/** What is always left free on the disk, in bytes, so that deletes can still be saved. */
const DISK_RESERVE = 64 * MB

interface QuotaDeps {
  /** Bytes of the user's published files. */
  used(userId: string): number
  byKind(userId: string): StorageStats['by_kind']
  tierOf(userId: string): Tier
  /** Bytes that are free on the disk. */
  freeDisk(): Promise<number>
  /** Frees up to so many bytes on the disk, by emptying the trash. */
  makeRoom(bytes: number): Promise<void>
}

/** Bytes that an upload in progress holds, on its owner's quota and on the disk. */
export interface Reservation {
  /** Makes sure that at least `bytes` in all are held. Throws `quota_exceeded` or `disk_full`. */
  cover(bytes: number): void
  /** So many of them are on the disk by now: there they need no more room. */
  wrote(bytes: number): void
  release(): void
}

/** Quotas, held before the first byte is kept, so that uploads at the same time cannot exceed them together. */
export class Quota {
  readonly #held = new Map<string, number>()
  #heldInAll = 0
  /** Bytes of what is held that are on the disk. */
  #written = 0
  /** Bytes that uploads may still take: as of the last look at the disk, less what was held since. */
  #diskLeft = 0

  constructor(private readonly deps: QuotaDeps) {}

  stats(userId: string): StorageStats {
    const tier = this.deps.tierOf(userId)
    const [used, quota] = [this.deps.used(userId), tierQuota[tier]]
    return {
      tier_name: tier,
      used,
      quota,
      percentage: Math.round((used / quota) * 1000) / 10,
      by_kind: this.deps.byKind(userId),
    }
  }

  /** Holds `bytes` for an upload of this user. Throws `quota_exceeded` or `disk_full`. */
  async reserve(userId: string, bytes: number): Promise<Reservation> {
    this.require(userId, bytes)
    await this.#lookAtDisk(bytes)
    const reservation = this.hold(userId, 0, 0)
    reservation.cover(bytes)
    return reservation
  }

  /** Holds again what an earlier run has granted, whatever has become of quota and disk since. */
  hold(userId: string, bytes: number, written: number): Reservation {
    let [held, onDisk] = [0, 0]
    const hold = (more: number) => {
      held += more
      this.#heldInAll += more
      this.#held.set(userId, (this.#held.get(userId) ?? 0) + more)
    }
    const wrote = (total: number) => {
      this.#written += total - onDisk
      onDisk = total
    }
    const cover = (total: number) => {
      const more = total - held
      if (more <= 0) return
      this.require(userId, more)
      if (more > this.#diskLeft) throw diskFull()
      this.#diskLeft -= more
      hold(more)
    }
    const release = () => {
      hold(-held)
      wrote(0)
    }
    hold(bytes)
    wrote(written)
    return { cover, wrote, release }
  }

  /** Bytes that uploads in progress hold, of one user or of all. */
  held(userId?: string): number {
    return userId === undefined ? this.#heldInAll : (this.#held.get(userId) ?? 0)
  }

  /** Throws `quota_exceeded` unless the user's quota has room for so many bytes more. */
  require(userId: string, more: number): void {
    const quota = tierQuota[this.deps.tierOf(userId)]
    if (this.deps.used(userId) + this.held(userId) + more <= quota) return
    throw new AppError(
      'quota_exceeded',
      'Storage quota exceeded: delete files, or ask the host for a larger tier',
      'file',
    )
  }

  /** The trash makes room for what is wanted. What was taken and given back is only seen at the next look. */
  async #lookAtDisk(wanted: number): Promise<void> {
    const look = async () => {
      this.#diskLeft = (await this.deps.freeDisk()) - DISK_RESERVE - (this.#heldInAll - this.#written)
    }
    await look()
    if (wanted <= this.#diskLeft) return
    await this.deps.makeRoom(wanted - this.#diskLeft)
    await look()
  }
}
