/** First and last byte, both included. */
interface Interval {
  start: number
  end: number
}

/** A client with more gaps is no longer tracked. */
const MAX_INTERVALS = 128

/** A set of byte positions, as ascending intervals with gaps. */
export class ByteSet {
  #intervals: Interval[] = []

  get isEmpty(): boolean {
    return this.#intervals.length === 0
  }

  add({ start, end }: Interval): void {
    const before = this.#intervals.filter((known) => known.end + 1 < start)
    const after = this.#intervals.filter((known) => known.start > end + 1)
    const touched = this.#intervals.slice(before.length, this.#intervals.length - after.length)
    const joined = {
      start: Math.min(start, ...touched.map((known) => known.start)),
      end: Math.max(end, ...touched.map((known) => known.end)),
    }
    const next = [...before, joined, ...after]
    if (next.length <= MAX_INTERVALS) this.#intervals = next
  }

  /** Whether the set has each of the first `size` positions. */
  covers(size: number): boolean {
    const [first] = this.#intervals
    return first?.start === 0 && first.end >= size - 1
  }
}
