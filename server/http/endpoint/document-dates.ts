import type { Clock } from '../../core/clock'

/** Addresses that are remembered; one that was forgotten counts as changed. */
const MOST = 2000
/** The longest address that is remembered, in characters. */
const MOST_ADDRESS = 500

/**
 * The time since which each address has had its content in this run. Records cannot provide it: a
 * file that is made private changes a feed too.
 */
export class DocumentDates {
  readonly #known = new Map<string, { etag: string; since: number }>()

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /**
   * Seconds since 1970, later than for any earlier content of this address. Returns undefined if
   * that would be in the future, as after changes within one second, or if the address is too long
   * to store.
   */
  dateContent(address: string, etag: string): number | undefined {
    if (address.length > MOST_ADDRESS) return undefined

    const now = Math.floor(this.clock.now().getTime() / 1000)
    const previous = this.#known.get(address)
    const current =
      previous?.etag === etag
        ? previous
        : { etag, since: Math.max(now, (previous?.since ?? 0) + 1) }

    // The address that was asked for longest ago comes first.
    this.#known.delete(address)
    this.#known.set(address, current)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest)

    return current.since <= now + 1 ? current.since : undefined
  }
}
