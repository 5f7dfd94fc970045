import type { Clock } from '../../core/clock'

/** A visitor counts once per item within this time, in ms. */
const WINDOW_MS = 30 * 60_000
/** Bounds memory against clients that change identity per request (oldest evicted). */
const MOST = 100_000

/** Remembers counted visits, so that reloads and retries do not inflate the numbers. */
export class Visits {
  /** Time of counting, oldest first. */
  readonly #seen = new Map<string, number>()

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Whether this is the visitor's first visit of `thing` within 30 minutes; records it. */
  isFirst(visitor: string, thing: string): boolean {
    const now = this.clock.now().getTime()
    this.#forget(now - WINDOW_MS)
    const key = `${visitor} ${thing}`
    if (this.#seen.has(key)) return false
    this.#seen.set(key, now)
    const [oldest] = this.#seen.size > MOST ? this.#seen.keys() : []
    if (oldest !== undefined) this.#seen.delete(oldest)
    return true
  }

  #forget(until: number): void {
    for (const [key, seenAt] of this.#seen) {
      if (seenAt > until) return
      this.#seen.delete(key)
    }
  }
}
