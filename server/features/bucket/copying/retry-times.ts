import { backoffMs } from '../../../core/backoff'

/** The waits after failures. */
const WAITS = { firstMs: 1000, longestMs: 300_000 }

/**
 * When to try failed work again: after 1 s, then after twice as long each time, at most 5 minutes.
 */
export class RetryTimes {
  readonly #failures = new Map<string, number>()
  readonly #waits = new Map<string, NodeJS.Timeout>()

  /** `due`: called when something may be tried again. */
  constructor(private readonly due: () => void) {}

  /** Returns how often in a row it has failed. */
  failed(id: string): number {
    const count = (this.#failures.get(id) ?? 0) + 1
    this.#failures.set(id, count)
    clearTimeout(this.#waits.get(id))
    const end = () => {
      this.#waits.delete(id)
      this.due()
    }
    this.#waits.set(id, setTimeout(end, backoffMs(count, WAITS)).unref())
    return count
  }

  /** The next failure is the first one again. A running wait stays. */
  succeeded(id: string): void {
    this.#failures.delete(id)
  }

  isDue(id: string): boolean {
    return !this.#waits.has(id)
  }

  forget(id: string): void {
    this.#failures.delete(id)
    clearTimeout(this.#waits.get(id))
    this.#waits.delete(id)
  }

  /** Makes everything due now: what prevented it is over. */
  hurry(): void {
    this.#endWaits()
    this.due()
  }

  clear(): void {
    this.#failures.clear()
    this.#endWaits()
  }

  #endWaits(): void {
    for (const wait of this.#waits.values()) clearTimeout(wait)
    this.#waits.clear()
  }
}
