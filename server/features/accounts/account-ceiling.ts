import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import { backoffMs } from '../../core/backoff'
import { retryLater } from '../../core/errors'

/** The delays of attempts beyond the ceiling. */
const DELAYS = { firstMs: 250, longestMs: 4000 }
/** Concurrently waiting attempts per account. */
const WAITING = 16
const KNOWN_S = 7 * 24 * 3600

/**
 * Slows down guessing of one account from many networks. Never locks the account: attempts wait,
 * except from networks where its owner signed in recently.
 */
export class AccountCeiling {
  readonly #failures: RateLimiterMemory
  readonly #known = new RateLimiterMemory({ points: 1, duration: KNOWN_S })
  readonly #waiting = new Map<string, number>()

  constructor(
    private readonly ceiling: number,
    seconds: number,
    private readonly pause: (ms: number) => Promise<unknown>,
  ) {
    this.#failures = new RateLimiterMemory({ points: ceiling, duration: seconds })
  }

  /**
   * Counts a failed attempt and delays it beyond the ceiling. Throws `too_many_requests` when too
   * many wait.
   */
  async attempt(account: string, network: string): Promise<void> {
    const { consumedPoints } = await this.#failures.penalty(account)
    const beyond = consumedPoints - this.ceiling
    if (beyond <= 0 || (await this.#known.get(toKey(account, network))) !== null) return
    await this.#wait(account, backoffMs(beyond, DELAYS))
  }

  /** Reverts the count of an attempt that did not fail. */
  async takeBack(account: string): Promise<void> {
    await this.#failures.reward(account)
  }

  async remember(account: string, network: string): Promise<void> {
    await this.#known.set(toKey(account, network), 1, KNOWN_S)
  }

  async #wait(account: string, ms: number): Promise<void> {
    const waiting = this.#waiting.get(account) ?? 0
    if (waiting >= WAITING) {
      throw retryLater(
        'too_many_requests',
        'Too many sign-ins to this account; try again in a moment',
        Math.ceil(DELAYS.longestMs / 1000),
      )
    }

    this.#waiting.set(account, waiting + 1)
    try {
      await this.pause(ms)
    } finally {
      const remaining = (this.#waiting.get(account) ?? 1) - 1
      if (remaining > 0) this.#waiting.set(account, remaining)
      else this.#waiting.delete(account)
    }
  }
}

/** The network comes first: it contains no line break, but the account name may. */
const toKey = (account: string, network: string) => `${network}\n${account}`
