import { MOST_COUNTS } from './peer-protocol'

const SEND_EVERY_MS = 700

/** What became of a post: `nothing`: the writer surely did not take it. */
export type PostOutcome = 'taken' | 'unknown' | 'nothing'

/**
 * Adds up counts of this host and posts them to the writer. They are kept while there is none, up to 5000 names; a post
 * without an answer is not sent again, so that nothing counts twice.
 */
export class PassedCounts {
  readonly #counts = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> = Promise.resolve()

  constructor(private readonly post: (counts: readonly (readonly [string, number])[]) => Promise<PostOutcome>) {}

  add(name: string, by: number): void {
    if (!this.#counts.has(name) && this.#counts.size >= MOST_COUNTS) return
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by)
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
        if (this.#counts.size > 0) this.#plan()
      })
    }, SEND_EVERY_MS).unref()
  }

  async #send(): Promise<void> {
    if (this.#counts.size === 0) return
    const counts = [...this.#counts]
    this.#counts.clear()
    if ((await this.post(counts)) !== 'nothing') return
    for (const [name, by] of counts) this.add(name, by)
  }
}
