import { setTimeout as pause } from 'node:timers/promises'
import type { EngineClient } from './connection'
import { EngineAwayError, OfficeLostError } from './office-errors'

interface Question {
  /** Asks the engine. Throws OfficeLostError where this process is not the writer. */
  confirm: (session: EngineClient) => Promise<void>
  /** Whether an engine without an answer may still come back in time. */
  mayWait: () => boolean
}

/** Between attempts to reach the engine, in ms. */
const PAUSE_MS = 100

/** Asks the engine, for requests, whether this process is still the writer: over a session that no commit delays. */
export class FreshChecks {
  #session: EngineClient | undefined
  #asking: Promise<unknown> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(
    private readonly open: () => Promise<EngineClient>,
    private readonly question: Question,
  ) {}

  /**
   * Resolves if this process is the writer at a moment after the call, so that it knows all that was acknowledged before.
   * One question at a time: whoever asks during one shares the next. Throws OfficeLostError and EngineAwayError.
   */
  fresh(): Promise<void> {
    return (this.#next ??= this.#asking.then(() => {
      this.#next = undefined
      const answer = this.#ask()
      this.#asking = answer.catch(() => undefined)
      return answer
    }))
  }

  end(): void {
    drop(this.#session)
    this.#session = undefined
  }

  async #ask(): Promise<void> {
    for (;;) {
      try {
        this.#session ??= await this.open()
        return await this.question.confirm(this.#session)
      } catch (cause) {
        if (cause instanceof OfficeLostError) throw cause
        this.end()
        if (!this.question.mayWait()) throw new EngineAwayError(cause)
        await pause(PAUSE_MS)
      }
    }
  }
}

/** Ends a session without waiting: the engine may be gone. */
export const drop = (session: EngineClient | undefined): void => void session?.end().catch(() => undefined)
