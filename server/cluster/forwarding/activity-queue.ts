import type { ActivityDelta } from '../../data/library/activity-deltas'
import { MOST_DELTAS } from './internal-protocol'

const SEND_EVERY_MS = 700
/** Kept while there is no primary. */
const MOST_KEPT = 20 * MOST_DELTAS

/** What became of a post: `nothing`: the primary surely did not take it. */
export type PostOutcome = 'taken' | 'unknown' | 'nothing'

/**
 * Collects what this host noticed and posts it to the primary. It is kept while there is none, up
 * to 100,000 deltas; a post without an answer is not sent again, so that nothing counts twice.
 */
export class ActivityQueue {
  /** By what makes two of them one; redirects to one copy are added up. */
  #deltas = new Map<string, ActivityDelta>()
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<unknown> = Promise.resolve()

  constructor(private readonly post: (deltas: readonly ActivityDelta[]) => Promise<PostOutcome>) {}

  add(delta: ActivityDelta): void {
    if (this.#deltas.size >= MOST_KEPT) return
    if (delta.kind === 'redirected') this.#addUp(delta)
    else this.#deltas.set(JSON.stringify(delta), delta)
    this.#plan()
  }

  /** Sends what is left, until a post fails. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#sending
    while (await this.#send());
    clearTimeout(this.#timer)
  }

  #addUp(delta: ActivityDelta & { kind: 'redirected' }): void {
    const { blobId } = delta
    const before = this.#deltas.get(blobId)
    const { bytes = 0, times = 0 } = before?.kind === 'redirected' ? before : {}
    this.#deltas.set(blobId, { ...delta, bytes: delta.bytes + bytes, times: delta.times + times })
  }

  #plan(): void {
    this.#timer ??= setTimeout(() => {
      const sending = this.#send().finally(() => {
        this.#timer = undefined
        if (this.#deltas.size > 0) this.#plan()
      })
      this.#sending = sending
    }, SEND_EVERY_MS).unref()
  }

  /** Whether the primary took some. */
  async #send(): Promise<boolean> {
    const first = [...this.#deltas].slice(0, MOST_DELTAS)
    const deltas = first.map(([, delta]) => delta)
    if (deltas.length === 0) return false
    for (const [name] of first) this.#deltas.delete(name)
    const outcome = await this.post(deltas)
    if (outcome === 'nothing') for (const delta of deltas) this.add(delta)
    return outcome === 'taken'
  }
}
