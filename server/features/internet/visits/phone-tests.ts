import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../core/clock'
import { sha256Of } from '../../../core/sha256'

/** How long a link works, in ms. */
const LIFETIME_MS = 10 * 60_000
/** The most links. A further one ends the oldest. */
const MOST = 10

/**
 * Links that a phone opens once, off Wi-Fi, to prove that people outside reach this host. The
 * memory contains only their hashes.
 */
export class PhoneTests {
  readonly #ends = new Map<string, number>()

  constructor(private readonly clock: Clock) {}

  create(origin: string): { url: string; expires_at: string } {
    const token = randomBytes(32).toString('base64url')
    const [oldest] = this.#ends.keys()
    if (oldest !== undefined && this.#ends.size >= MOST) this.#ends.delete(oldest)
    this.#ends.set(hashOf(token), this.clock.elapsed() + LIFETIME_MS)
    const endsAt = new Date(this.clock.now().getTime() + LIFETIME_MS)
    return { url: `${origin}/reach/${token}`, expires_at: endsAt.toISOString() }
  }

  /**
   * Uses up a link if the phone came from outside. A phone on Wi-Fi may turn Wi-Fi off and open it
   * again.
   */
  use(token: string, isFromOutside: boolean): 'outside' | 'inside' | 'ended' {
    const hash = hashOf(token)
    const endsAt = this.#ends.get(hash)
    if (endsAt === undefined || this.clock.elapsed() >= endsAt) return 'ended'
    if (!isFromOutside) return 'inside'
    this.#ends.delete(hash)
    return 'outside'
  }

  clear(): void {
    this.#ends.clear()
  }
}

const hashOf = (token: string) => sha256Of(token, 'base64')
