import { HOUR_MS, type Clock } from '../../../core/clock'
import { toNetwork } from '../../../core/net/ip-address'

/** Counts up to this, so that a flood cannot fill the memory. */
const MOST = 10_000

/** Counts the addresses from outside and the failed sign-ins of the last hour. */
export class Visitors {
  /** The last visit by network; the oldest come first. */
  readonly #seen = new Map<string, number>()
  #failures: number[] = []

  constructor(private readonly clock: Clock) {}

  /** Returns whether the visitor is new within the hour. */
  see(address: string): boolean {
    const network = toNetwork(address)
    const isNew = !this.#seen.delete(network)
    this.#seen.set(network, this.clock.elapsed())
    this.#forget()
    return isNew
  }

  fail(): void {
    if (this.#failures.length < MOST) this.#failures.push(this.clock.elapsed())
  }

  counts(): { visitors: number; failedSignIns: number } {
    this.#forget()
    return { visitors: this.#seen.size, failedSignIns: this.#failures.length }
  }

  #forget(): void {
    const since = this.clock.elapsed() - HOUR_MS
    this.#failures = this.#failures.filter((at) => at > since)
    for (const [network, at] of this.#seen) {
      if (at > since && this.#seen.size <= MOST) return
      this.#seen.delete(network)
    }
  }
}
