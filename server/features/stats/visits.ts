import type { World } from '../../core/clock'

/** One visitor counts once for one thing within this time, in ms. */
const WINDOW_MS = 30 * 60_000
/** Who calls themselves another with each request must not fill the memory: the one counted longest ago is forgotten. */
const MOST = 100_000

/** Remembers who has been counted for what, so that reloads and retries do not inflate the numbers. */
export class Visits {
  /** When each was counted, oldest first. */
  readonly #seen = new Map<string, number>()

  constructor(private readonly world: Pick<World, 'now'>) {}

  /** Whether this is the visitor's first time at `thing` within 30 minutes; from now on it is not. */
  isFirst(visitor: string, thing: string): boolean {
    const now = this.world.now().getTime()
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
