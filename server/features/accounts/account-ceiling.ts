import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import { AppError } from '../../core/errors'

/** The first delay beyond the ceiling; each further attempt waits twice as long, up to the longest, in ms. */
const FIRST_MS = 250
const LONGEST_MS = 4000
/** Attempts at one account that may wait at the same time. */
const WAITING = 16
const KNOWN_S = 7 * 24 * 3600

/**
 * Slows down guesses at one account that come from many networks. It never locks the account: attempts wait, and a
 * network from which its owner has signed in lately does not.
 */
export class AccountCeiling {
  readonly #failures: RateLimiterMemory
  readonly #known = new RateLimiterMemory({ points: 1, duration: KNOWN_S })
  readonly #waiting = new Map<string, number>()

  /** Up to `ceiling` failures in so many seconds nobody waits. */
  constructor(
    private readonly ceiling: number,
    seconds: number,
    private readonly pause: (ms: number) => Promise<unknown>,
  ) {
    this.#failures = new RateLimiterMemory({ points: ceiling, duration: seconds })
  }

  /** Counts an attempt as failed, and waits where there were too many. Throws `too_many_requests` where too many wait. */
  async attempt(account: string, network: string): Promise<void> {
    const { consumedPoints } = await this.#failures.penalty(account)
    const beyond = consumedPoints - this.ceiling
    if (beyond <= 0 || (await this.#known.get(nameOf(account, network))) !== null) return
    await this.#wait(account, Math.min(FIRST_MS * 2 ** (beyond - 1), LONGEST_MS))
  }

  /** The attempt was none, or did not fail. */
  async takeBack(account: string): Promise<void> {
    await this.#failures.reward(account)
  }

  /** The owner of the account is at home in this network. */
  async remember(account: string, network: string): Promise<void> {
    await this.#known.set(nameOf(account, network), 1, KNOWN_S)
  }

  async #wait(account: string, ms: number): Promise<void> {
    const waiting = this.#waiting.get(account) ?? 0
    if (waiting >= WAITING) {
      throw new AppError('too_many_requests', 'Too many sign-ins to this account; try again in a moment', undefined, {
        'Retry-After': String(Math.ceil(LONGEST_MS / 1000)),
      })
    }
    this.#waiting.set(account, waiting + 1)
    try {
      await this.pause(ms)
    } finally {
      const left = (this.#waiting.get(account) ?? 1) - 1
      if (left > 0) this.#waiting.set(account, left)
      else this.#waiting.delete(account)
    }
  }
}

/** A name that was given at a sign-in may hold anything, a network no line break. */
const nameOf = (account: string, network: string) => `${network}\n${account}`
