import type { Log } from '../../server/core/logging/log'

/** A quiet log that remembers errors; the fixture fails a test that leaves any behind. */
export class TestLog implements Log {
  readonly #errors: unknown[] = []

  debug(): void {
    // What goes well is no news.
  }

  info(): void {
    // Nor is this.
  }

  warn(): void {
    // Nor what was mended.
  }

  error(fields: object, message: string): void {
    this.#errors.push({ message, ...fields })
  }

  /** The errors so far, which the test has expected; they are forgotten. */
  takeErrors(): unknown[] {
    return this.#errors.splice(0)
  }
}
