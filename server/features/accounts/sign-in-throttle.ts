import { setTimeout as sleep } from 'node:timers/promises'
import { toNetwork } from '../../core/net/ip-address'
import { RateLimit } from '../../http/pipeline/rate-limit'
import type { SettingsData } from '../../data/settings/settings-schema'
import { AccountCeiling } from './account-ceiling'

const QUARTER_HOUR_S = 900
const HOUR_S = 3600
/**
 * Wrong codes of an account per hour, from all networks: of a million codes three are right. Only a
 * person with the password can use this up, and recovery codes count, too.
 */
const WRONG_CODES_PER_HOUR = 30
const REFUSAL = 'Too many failed sign-ins; try again in a few minutes'

/** A counted sign-in before its check. */
interface Attempt {
  /** Reverts the count: the password was right. */
  succeeded(): Promise<void>
  /** Reverts the count: it was not checked. */
  takeBack(): Promise<void>
}

/** Slows down password guessing and mass registration. Without limits it allows everything. */
export class SignInThrottle {
  readonly #perAccount: RateLimit | undefined
  readonly #perAddress: RateLimit | undefined
  readonly #registrations: RateLimit | undefined
  readonly #badKeys: RateLimit | undefined
  readonly #codes: RateLimit | undefined
  readonly #everywhere: AccountCeiling | undefined

  /** `pause` waits for ms. */
  constructor(
    limits: Readonly<SettingsData> | undefined,
    pause: (ms: number) => Promise<unknown> = sleep,
  ) {
    if (!limits) return

    this.#everywhere = new AccountCeiling(
      limits.failed_sign_ins_per_account_everywhere,
      QUARTER_HOUR_S,
      pause,
    )

    this.#perAccount = new RateLimit(limits.failed_sign_ins_per_account, QUARTER_HOUR_S, REFUSAL)
    this.#perAddress = new RateLimit(limits.failed_sign_ins_per_address, QUARTER_HOUR_S, REFUSAL)

    this.#codes = new RateLimit(WRONG_CODES_PER_HOUR, HOUR_S, REFUSAL)

    this.#badKeys = new RateLimit(
      limits.failed_sign_ins_per_address,
      QUARTER_HOUR_S,
      'Too many wrong API keys; check yours',
    )

    this.#registrations = new RateLimit(
      limits.registrations_per_hour,
      HOUR_S,
      'Too many new accounts from your address',
    )
  }

  /**
   * Counts a sign-in as failed before its check, so that concurrent guesses count; a success
   * reverts it. Delays accounts under attack from many networks. `codesOf`: the account whose codes
   * are tried. Throws `too_many_requests`.
   */
  async attempt(name: string, address: string, codesOf?: string): Promise<Attempt> {
    const network = toNetwork(address)
    const account = name.toLowerCase()
    const here = `${account} ${network}`

    await this.#perAddress?.take(network)
    await this.#perAccount?.take(here)
    if (codesOf !== undefined) await this.#codes?.take(codesOf)

    const takeBack = async () => {
      await this.#perAddress?.giveBack(network)
      await this.#perAccount?.giveBack(here)
      if (codesOf !== undefined) await this.#codes?.giveBack(codesOf)
      await this.#everywhere?.takeBack(account)
    }

    try {
      await this.#everywhere?.attempt(account, network)
    } catch (cause) {
      await takeBack()
      throw cause
    }

    return {
      takeBack,
      succeeded: async () => {
        await takeBack()
        await this.#everywhere?.remember(account, network)
      },
    }
  }

  /**
   * Counts an answer of the provider as a failed sign-in before its check: for the network, as it
   * names no account. Returns what reverts that. Throws `too_many_requests`.
   */
  async byProvider(address: string): Promise<() => Promise<void>> {
    const network = toNetwork(address)
    await this.#perAddress?.take(network)
    return async () => this.#perAddress?.giveBack(network)
  }

  /** Counts a bad API key of this address; good keys keep working. Throws `too_many_requests`. */
  async badKey(address: string): Promise<void> {
    await this.#badKeys?.take(toNetwork(address))
  }

  /** Counts a registration from this address, successful or not. Throws `too_many_requests`. */
  async registering(address: string): Promise<void> {
    await this.#registrations?.take(toNetwork(address, 48))
  }
}
