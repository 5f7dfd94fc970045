import type { Mark } from '../data/library/marks'
import { MOST_MARKS } from './peer-protocol'

const SEND_EVERY_MS = 700
/** Kept while there is no writer. */
const MOST_KEPT = 20 * MOST_MARKS

/** What became of a post: `nothing`: the writer surely did not take it. */
export type PostOutcome = 'taken' | 'unknown' | 'nothing'

/**
 * Collects what this host noticed and posts it to the writer. It is kept while there is none, up to 100,000 marks; a post
 * without an answer is not sent again, so that nothing counts twice.
 */
export class PassedMarks {
  /** By what makes two of them one. */
  #marks = new Map<string, Mark>()
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> = Promise.resolve()

  constructor(private readonly post: (marks: readonly Mark[]) => Promise<PostOutcome>) {}

  add(mark: Mark): void {
    if (this.#marks.size >= MOST_KEPT) return
    this.#marks.set(JSON.stringify(mark), mark)
    this.#plan()
  }

  /** Sends what is left, once. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#sending
    await this.#send()
    clearTimeout(this.#timer)
  }

  #plan(): void {
    this.#timer ??= setTimeout(() => {
      this.#sending = this.#send().finally(() => {
        this.#timer = undefined
        if (this.#marks.size > 0) this.#plan()
      })
    }, SEND_EVERY_MS).unref()
  }

  async #send(): Promise<void> {
    const marks = [...this.#marks.values()].slice(0, MOST_MARKS)
    if (marks.length === 0) return
    for (const mark of marks) this.#marks.delete(JSON.stringify(mark))
    if ((await this.post(marks)) !== 'nothing') return
    for (const mark of marks) this.add(mark)
  }
}
