import type { Mark } from '../data/library/marks'
import { MOST_MARKS } from './peer-protocol'

const SEND_EVERY_MS = 700
/** Kept while there is no writer. */
const MOST_KEPT = 20 * MOST_MARKS

/** What became of a post: `nothing`: the writer surely did not take it. */
export type PostOutcome = 'taken' | 'unknown' | 'nothing'

/**
 * Collects what this host noticed and posts it to the writer. It is kept while there is none, up to
 * 100,000 marks; a post without an answer is not sent again, so that nothing counts twice.
 */
export class PassedMarks {
  /** By what makes two of them one; redirects to one copy are added up. */
  #marks = new Map<string, Mark>()
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<unknown> = Promise.resolve()

  constructor(private readonly post: (marks: readonly Mark[]) => Promise<PostOutcome>) {}

  add(mark: Mark): void {
    if (this.#marks.size >= MOST_KEPT) return
    if (mark.kind === 'redirected') this.#addUp(mark)
    else this.#marks.set(JSON.stringify(mark), mark)
    this.#plan()
  }

  /** Sends what is left, until a post fails. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#sending
    while (await this.#send());
    clearTimeout(this.#timer)
  }

  #addUp(mark: Mark & { kind: 'redirected' }): void {
    const { blobId } = mark
    const before = this.#marks.get(blobId)
    const { bytes = 0, times = 0 } = before?.kind === 'redirected' ? before : {}
    this.#marks.set(blobId, { ...mark, bytes: mark.bytes + bytes, times: mark.times + times })
  }

  #plan(): void {
    this.#timer ??= setTimeout(() => {
      const sending = this.#send().finally(() => {
        this.#timer = undefined
        if (this.#marks.size > 0) this.#plan()
      })
      this.#sending = sending
    }, SEND_EVERY_MS).unref()
  }

  /** Whether the writer took some. */
  async #send(): Promise<boolean> {
    const first = [...this.#marks].slice(0, MOST_MARKS)
    const marks = first.map(([, mark]) => mark)
    if (marks.length === 0) return false
    for (const [name] of first) this.#marks.delete(name)
    const outcome = await this.post(marks)
    if (outcome === 'nothing') for (const mark of marks) this.add(mark)
    return outcome === 'taken'
  }
}
