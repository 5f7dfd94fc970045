import type { MirrorView } from '../../contract/host/bucket'
import type { Clock } from '../../core/clock'
import type { Library } from '../../data/library/library'

/** Hot counters of the library: they reach the disk within a second. `month` is a number such as 202611. */
const counters = ['mirror:month', 'mirror:copied', 'mirror:redirects', 'mirror:redirected'] as const
const [MONTH, COPIED, REDIRECTS, REDIRECTED] = counters

/** What the bucket was used for in this UTC month. */
export class MirrorUsage {
  constructor(
    private readonly library: Library,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  copied(bytes: number): void {
    this.#thisMonth()
    this.library.count(COPIED, bytes)
  }

  /** A download was redirected: `bytes` is what its range asks for, as the bucket does not report what it sends. */
  redirected(bytes: number): void {
    this.#thisMonth()
    this.library.count(REDIRECTS)
    this.library.count(REDIRECTED, bytes)
  }

  view(): MirrorView['month'] {
    const now = this.#now()
    const value = (name: string) => (this.library.counter(MONTH) === now ? this.library.counter(name) : 0)
    return {
      month: this.clock.now().toISOString().slice(0, 7),
      copied_bytes: value(COPIED),
      redirects: value(REDIRECTS),
      redirected_bytes: value(REDIRECTED),
    }
  }

  /** Starts over when a month begins. */
  #thisMonth(): void {
    const now = this.#now()
    if (this.library.counter(MONTH) === now) return
    for (const name of [COPIED, REDIRECTS, REDIRECTED]) this.library.count(name, -this.library.counter(name))
    this.library.count(MONTH, now - this.library.counter(MONTH))
  }

  #now(): number {
    return Number(this.clock.now().toISOString().slice(0, 7).replace('-', ''))
  }
}
