import { RateLimit } from '../../http/rate-limit'
import type { Limits } from '../../storage/settings-schema'

const QUARTER_HOUR_S = 900
const HOUR_S = 3600
const REFUSAL = 'Too many failed sign-ins; try again in a few minutes'

/** Slows down guessing of passwords and mass registration. Without limits it lets everything pass. */
export class SignInThrottle {
  readonly #perAccount: RateLimit | undefined
  readonly #perAddress: RateLimit | undefined
  readonly #registrations: RateLimit | undefined
  readonly #badKeys: RateLimit | undefined

  constructor(limits: Limits | undefined) {
    if (!limits) return
    this.#perAccount = new RateLimit(limits.failedSignInsPerAccount, QUARTER_HOUR_S, REFUSAL)
    this.#perAddress = new RateLimit(limits.failedSignInsPerAddress, QUARTER_HOUR_S, REFUSAL)
    this.#badKeys = new RateLimit(
      limits.failedSignInsPerAddress,
      QUARTER_HOUR_S,
      'Too many wrong API keys; check yours',
    )
    this.#registrations = new RateLimit(limits.registrationsPerHour, HOUR_S, 'Too many new accounts from your address')
  }

  /**
   * Counts a sign-in as failed before it is checked, so that guesses at the same time cannot slip through; a success
   * takes it back. Throws `too_many_requests`.
   */
  async attempt(name: string, address: string): Promise<{ succeeded(): Promise<void> }> {
    const account = `${name.toLowerCase()} ${address}`
    await this.#perAddress?.take(address)
    await this.#perAccount?.take(account)
    return {
      succeeded: async () => {
        await this.#perAddress?.giveBack(address)
        await this.#perAccount?.giveBack(account)
      },
    }
  }

  /** Counts a bad API key from this address; good keys go on working there. Throws `too_many_requests`. */
  async badKey(address: string): Promise<void> {
    await this.#badKeys?.take(address)
  }

  /** Counts a registration from this address. Throws `too_many_requests`. */
  async registering(address: string): Promise<void> {
    await this.#registrations?.take(address)
  }
}
