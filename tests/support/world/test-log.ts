import type { Log } from '../../../server/core/logging/log'

/** A quiet log that remembers its lines; the fixture fails a test that leaves errors behind. */
export class TestLog implements Log {
  readonly isDebug = false
  /** All but debug messages. */
  readonly lines: unknown[] = []
  readonly #errors: unknown[] = []

  debug(): void {
    // Tests read no debug messages.
  }

  info(fields: object, message: string): void {
    this.lines.push({ message, ...fields })
  }

  warn(fields: object, message: string): void {
    this.lines.push({ message, ...fields })
  }

  error(fields: object, message: string): void {
    this.lines.push({ message, ...fields })
    this.#errors.push({ message, ...fields })
  }

  /** The errors so far, which the test has expected; they are forgotten. */
  takeErrors(): unknown[] {
    return this.#errors.splice(0)
  }
}
