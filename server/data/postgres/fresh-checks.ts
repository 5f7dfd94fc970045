import { setTimeout as pause } from 'node:timers/promises'
import { endsWithin } from '../../core/deadline'
import type { PostgresClient } from './connection'
import { PostgresAwayError, RoleLostError } from './lease-errors'

interface Question {
  /**
   * Asks PostgreSQL, and applies its answer. Throws RoleLostError where no answer helps any more.
   */
  confirm: (session: PostgresClient) => Promise<void>
  /** Whether to keep waiting for a PostgreSQL that does not answer. */
  mayWait: () => boolean
}

/** How long to wait for PostgreSQL while it restarts, in ms. */
export const PATIENCE_MS = 4000
/** Between attempts to reach PostgreSQL, in ms. */
const PAUSE_MS = 100

/**
 * Asks PostgreSQL, before a request is answered, whether this process has every commit. Uses a
 * session of its own, so that no commit delays the question.
 */
export class FreshChecks {
  #session: PostgresClient | undefined
  #asking: Promise<unknown> = Promise.resolve()
  #next: Promise<void> | undefined
  #isOver = false

  constructor(
    private readonly open: () => Promise<PostgresClient>,
    private readonly question: Question,
  ) {}

  /**
   * Resolves once PostgreSQL has answered a question that was asked after the call, so that this
   * process knows all that was acknowledged before. One question runs at a time: calls during it
   * share the next one. Throws RoleLostError, and PostgresAwayError after 4 s, though the question
   * may continue.
   */
  async fresh(): Promise<void> {
    this.#next ??= this.#asking.then(() => {
      this.#next = undefined
      const answer = this.#ask()
      this.#asking = answer.catch(() => undefined)
      return answer
    })
    if (!(await endsWithin(PATIENCE_MS, this.#next))) throw new PostgresAwayError()
  }

  end(): void {
    this.#isOver = true
    this.#hangUp()
  }

  #hangUp(): void {
    drop(this.#session)
    this.#session = undefined
  }

  async #ask(): Promise<void> {
    for (;;) {
      try {
        this.#session ??= await this.open()
        return await this.question.confirm(this.#session)
      } catch (cause) {
        this.#hangUp()
        if (cause instanceof RoleLostError) throw cause
        if (this.#isOver || !this.question.mayWait()) throw new PostgresAwayError(cause)
        await pause(PAUSE_MS)
      }
    }
  }
}

/** Ends a session without waiting: PostgreSQL may be gone. */
export const drop = (session: PostgresClient | undefined): void =>
  void session?.end().catch(() => undefined)
