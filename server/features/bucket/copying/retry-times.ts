/** The first wait after a failure, which doubles with each further one, and the longest, in ms. */
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 300_000

/** When to try failed work again: after 1 s, then after twice as long each time, at most 5 minutes. */
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
    this.#waits.set(id, setTimeout(end, Math.min(FIRST_WAIT_MS * 2 ** (count - 1), LONGEST_WAIT_MS)).unref())
    return count
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
    for (const wait of this.#waits.values()) clearTimeout(wait)
    this.#waits.clear()
    this.due()
  }

  clear(): void {
    this.#failures.clear()
    for (const wait of this.#waits.values()) clearTimeout(wait)
    this.#waits.clear()
  }
}
