import type { File, Problem } from '../../contract'
import type { LocalProgress } from '../../contract/local-files'

/** Faster updates are not visible, in ms. */
const TELL_EVERY_MS = 100

/** Reports the progress of a local file to its listener. */
export class LocalProgressTeller {
  bytes = 0
  /** Null: not started. */
  size: number | null = null
  isDone = false
  #toldAt = -Infinity

  constructor(private readonly tell: (progress: LocalProgress) => void) {}

  get hasBegun(): boolean {
    return this.size !== null
  }

  /** Records the bytes so far; reports the last one immediately. */
  note(bytes: number, size: number): void {
    const now = performance.now()
    ;[this.bytes, this.size] = [bytes, size]
    if (bytes < size && now - this.#toldAt < TELL_EVERY_MS) return
    this.#toldAt = now
    this.#say({})
  }

  done(file: File): void {
    this.isDone = true
    this.#say({ file })
  }

  failed(problem: Problem): void {
    this.#say({ problem })
  }

  #say(end: { file?: File; problem?: Problem }): void {
    this.tell({ bytes: this.bytes, size: this.size ?? 0, file: null, problem: null, ...end })
  }
}
