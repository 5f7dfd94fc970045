import type { World } from '../../world'

/** One visitor counts once for one thing within this time, in ms. */
const WINDOW_MS = 30 * 60_000
const SWEEP_EVERY = 10_000

/** Remembers who has been counted for what, so that reloads and retries do not inflate the numbers. */
export class Visits {
  readonly #seen = new Map<string, number>()

  constructor(private readonly world: Pick<World, 'now'>) {}

  /** Whether this is the visitor's first time at `thing` within 30 minutes; from now on it is not. */
  isFirst(visitor: string, thing: string): boolean {
    const now = this.world.now().getTime()
    const key = `${visitor} ${thing}`
    const seenAt = this.#seen.get(key)
    if (seenAt !== undefined && now - seenAt < WINDOW_MS) return false
    if (this.#seen.size >= SWEEP_EVERY) this.#sweep(now)
    this.#seen.set(key, now)
    return true
  }

  #sweep(now: number): void {
    for (const [key, seenAt] of this.#seen) if (now - seenAt >= WINDOW_MS) this.#seen.delete(key)
  }
}
