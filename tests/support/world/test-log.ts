import type { Log } from '../../../server/core/logging/log'

/** A quiet log that remembers errors; the fixture fails a test that leaves any behind. */
export class TestLog implements Log {
  readonly isDebug = false
  readonly #errors: unknown[] = []

  debug(): void {
    // Only errors count.
  }

  info(): void {
    // Only errors count.
  }

  warn(): void {
    // Only errors count.
  }

  error(fields: object, message: string): void {
    this.#errors.push({ message, ...fields })
  }

  /** The errors so far, which the test has expected; they are forgotten. */
  takeErrors(): unknown[] {
    return this.#errors.splice(0)
  }
}
