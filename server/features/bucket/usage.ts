import type { BucketView } from '../../contract/host/bucket'
import type { Clock } from '../../core/clock'
import type { Library } from '../../data/library/library'

/**
 * Hot counters of the library: they reach the disk within a second. `month` is a number such as
 * 202611.
 */
const counters = ['mirror:month', 'mirror:copied', 'mirror:redirects', 'mirror:redirected'] as const
const [MONTH, COPIED, REDIRECTS, REDIRECTED] = counters

type Check = NonNullable<BucketView['check']['last']>

/** When the last check of all copies ended, in ms since 1970, and its result. */
const CHECKED_AT = 'mirror:check:at'
const RESULT = ['checked', 'missing', 'altered'] as const
const counterOf = (name: (typeof RESULT)[number]) => `mirror:checked:${name}`

/** Counts the use of the bucket in this UTC month, and keeps the last check of its copies. */
export class BucketUsage {
  constructor(
    private readonly library: Pick<Library, 'counter' | 'count'>,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  copied(bytes: number): void {
    this.#thisMonth()
    this.library.count(COPIED, bytes)
  }

  /**
   * Downloads were redirected: `bytes` is what their ranges ask for, as the bucket does not report
   * what it sends.
   */
  redirected(bytes: number, times = 1): void {
    this.#thisMonth()
    this.library.count(REDIRECTS, times)
    this.library.count(REDIRECTED, bytes)
  }

  /** A check of all copies has ended. */
  checked(result: Omit<Check, 'at'>): void {
    this.#set(CHECKED_AT, this.clock.now().getTime())
    for (const name of RESULT) this.#set(counterOf(name), result[name])
  }

  /** Null: there was none. */
  get lastCheck(): Check | null {
    const at = this.library.counter(CHECKED_AT)
    const [checked = 0, missing = 0, altered = 0] = RESULT.map((name) =>
      this.library.counter(counterOf(name)),
    )
    return at === 0 ? null : { at: new Date(at).toISOString(), checked, missing, altered }
  }

  view(): BucketView['month'] {
    const now = this.#now()
    const value = (name: string) =>
      this.library.counter(MONTH) === now ? this.library.counter(name) : 0
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
    for (const name of [COPIED, REDIRECTS, REDIRECTED]) this.#set(name, 0)
    this.#set(MONTH, now)
  }

  #set(name: string, value: number): void {
    this.library.count(name, value - this.library.counter(name))
  }

  #now(): number {
    return Number(this.clock.now().toISOString().slice(0, 7).replace('-', ''))
  }
}
