import { setTimeout as pause } from 'node:timers/promises'
import { endsWithin } from '../../core/deadline'
import type { EngineClient } from './connection'
import { EngineAwayError, PlaceLostError } from './office-errors'

interface Question {
  /**
   * Asks the engine, and applies its answer. Throws PlaceLostError where no answer helps any more.
   */
  confirm: (session: EngineClient) => Promise<void>
  /** Whether an engine without an answer may still come back in time. */
  mayWait: () => boolean
}

/** How long to wait for an engine that restarts, in ms. */
export const PATIENCE_MS = 4000
/** Between attempts to reach the engine, in ms. */
const PAUSE_MS = 100

/**
 * Asks the engine, for requests, whether what this process knows is all there is: over a session
 * that no commit delays.
 */
export class FreshChecks {
  #session: EngineClient | undefined
  #asking: Promise<unknown> = Promise.resolve()
  #next: Promise<void> | undefined
  #isOver = false

  constructor(
    private readonly open: () => Promise<EngineClient>,
    private readonly question: Question,
  ) {}

  /**
   * Resolves once the engine has answered a question that was asked after the call, so that this
   * process knows all that was acknowledged before. One question at a time: whoever asks during one
   * shares the next. Throws PlaceLostError, and EngineAwayError after 4 s, though the question may
   * go on.
   */
  async fresh(): Promise<void> {
    this.#next ??= this.#asking.then(() => {
      this.#next = undefined
      const answer = this.#ask()
      this.#asking = answer.catch(() => undefined)
      return answer
    })
    if (!(await endsWithin(PATIENCE_MS, this.#next))) throw new EngineAwayError()
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
        if (cause instanceof PlaceLostError) throw cause
        if (this.#isOver || !this.question.mayWait()) throw new EngineAwayError(cause)
        await pause(PAUSE_MS)
      }
    }
  }
}

/** Ends a session without waiting: the engine may be gone. */
export const drop = (session: EngineClient | undefined): void =>
  void session?.end().catch(() => undefined)
