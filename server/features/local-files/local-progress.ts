import type { BuildWarning, File, Problem } from '../../contract'
import type { LocalProgress } from '../../contract/files/local-files'

/** Faster updates are not visible, in ms. */
const TELL_EVERY_MS = 100

/** Reports the progress of a local file to its listener. */
export class LocalProgressTeller {
  bytes = 0
  /** Null before the start. */
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

  done(file: File, warnings: BuildWarning[]): void {
    this.isDone = true
    this.#say({ file, warnings })
  }

  failed(problem: Problem): void {
    this.#say({ problem })
  }

  #say(end: Partial<Pick<LocalProgress, 'file' | 'problem' | 'warnings'>>): void {
    this.tell({
      bytes: this.bytes,
      size: this.size ?? 0,
      file: null,
      warnings: [],
      problem: null,
      ...end,
    })
  }
}
