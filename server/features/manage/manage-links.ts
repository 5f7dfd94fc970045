import { hashOfToken, newLinkToken } from '../../access/link-token'
import { AppError } from '../../core/errors'
import type { Clock } from '../../core/clock'

const LINK_MS = 15 * 60_000

/** Links that let one browser session manage the host. Each works once, for 15 minutes. */
export class ManageLinks {
  /** Expiry in ms, by token hash. */
  readonly #ends = new Map<string, number>()

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  make(): string {
    const now = this.clock.now().getTime()
    for (const [hash, end] of this.#ends) if (end <= now) this.#ends.delete(hash)
    const token = newLinkToken()
    this.#ends.set(hashOfToken(token), now + LINK_MS)
    return token
  }

  /** Uses a link. Throws `manage_link_invalid` unless it is valid. */
  use(token: string): void {
    const hash = hashOfToken(token)
    const end = this.#ends.get(hash)
    this.#ends.delete(hash)
    if (end !== undefined && this.clock.now().getTime() < end) return
    throw new AppError(
      'manage_link_invalid',
      'This link is invalid, was already used, or is older than 15 minutes. ' +
        'Run `slipway manage` on the host for a new one.',
    )
  }
}
