import { join } from 'node:path'
import { z } from 'zod'
import { backoffMs } from '../../core/backoff'
import { DAY_MS } from '../../core/clock'
import type { Disk } from '../../core/durable-file'
import { Low } from 'lowdb'
import { StoredFile } from '../../data/stored-file'

/** The pause after a failed order, doubled with each further one, in ms. */
const PAUSES = { firstMs: DAY_MS / 24, longestMs: DAY_MS }

const attemptSchema = z.object({
  subject: z.string(),
  directory: z.string(),
  failures: z.int().min(1).max(1000),
  retry_at: z.iso.datetime(),
  /** The words of the authority. */
  problem: z.string(),
})
type Attempt = z.infer<typeof attemptSchema>

/** The subject of an order and its authority. Failures are counted per goal. */
export type Goal = Pick<Attempt, 'subject' | 'directory'>

/**
 * Failed certificate orders, in `certificate-orders.json`. A host that keeps restarting must not
 * order each time, because authorities limit orders (Let's Encrypt: 5 for the same name in a week).
 */
export class OrderAttempts {
  readonly #db: Low<Attempt | null>
  #before: Attempt | null = null

  constructor(dataDir: string, disk: Disk) {
    const path = join(dataDir, 'certificate-orders.json')
    const file = new StoredFile(attemptSchema.nullable(), path, { onDamage: () => null, disk })
    this.#db = new Low(file, null)
  }

  /** An unreadable file counts as none: the worst it causes is one order too many. */
  async load(): Promise<void> {
    await this.#db.read().catch(() => undefined)
  }

  /** Earliest time of the next automatic order. Returns undefined if there is no wait. */
  computeRetryTime(goal: Goal, now: Date): Date | undefined {
    const last = this.#lastOf(goal)
    if (!last) return undefined
    // A clock that was ahead must not stop renewals for years.
    return new Date(Math.min(Date.parse(last.retry_at), now.getTime() + PAUSES.longestMs))
  }

  problem(goal: Goal): string | null {
    return this.#lastOf(goal)?.problem ?? null
  }

  /**
   * Counts an order before it starts: a crash counts too, and a full disk stops the order before
   * the authority issues a certificate that cannot be stored.
   */
  async begin({ subject, directory }: Goal, now: Date): Promise<void> {
    this.#before = this.#db.data
    const failures = (this.#lastOf({ subject, directory })?.failures ?? 0) + 1
    const retryAt = new Date(now.getTime() + backoffMs(failures, PAUSES))
    const problem = 'The last order did not finish'
    await this.#save({ subject, directory, failures, retry_at: retryAt.toISOString(), problem })
  }

  /** Stores why the order failed, and how long the authority asks us to wait, in ms. */
  async fail(problem: string, now: Date, waitMs: number): Promise<void> {
    const last = this.#db.data
    if (!last) return

    const earliest = new Date(now.getTime() + Math.min(waitMs, PAUSES.longestMs)).toISOString()
    const retryAt = last.retry_at > earliest ? last.retry_at : earliest
    await this.#save({ ...last, retry_at: retryAt, problem })
  }

  /** Discounts an order that this host stopped itself. */
  async undo(): Promise<void> {
    await this.#save(this.#before)
  }

  /** Forgets the failures after an order has succeeded. */
  async forget(): Promise<void> {
    await this.#save(null)
  }

  #lastOf({ subject, directory }: Goal): Attempt | undefined {
    const last = this.#db.data
    return last?.subject === subject && last.directory === directory ? last : undefined
  }

  async #save(attempt: Attempt | null): Promise<void> {
    this.#db.data = attempt
    // `write` of lowdb would skip null.
    await this.#db.adapter.write(attempt)
  }
}
