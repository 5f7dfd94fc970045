import type { Watcher } from './indexes'

/** Records under keys that many share, in one order that is kept while they change. */
export interface SortedIndex<T> {
  /** The list is live: whoever waits in between takes what is needed out of it first. */
  get(key: string): readonly T[]
  size(key: string): number
}

/** Which of two records comes first; 0 only for two states of the same record. */
export type Order<T> = (a: T, b: T) => number

/** Newest first by a time as a UTC ISO string; of two at the same moment, the one with the higher id. */
export const newestBy =
  <T extends { id: string }>(time: (value: T) => string): Order<T> =>
  (a, b) => {
    const [first, second] = [time(a), time(b)]
    if (first !== second) return first < second ? 1 : -1
    return a.id === b.id ? 0 : a.id < b.id ? 1 : -1
  }

interface Shelf<T> {
  byId: Map<string, T>
  /** Made when it is first asked for, then kept in order: that is what makes a page of a long list cheap. */
  list: T[] | undefined
}

const NOTHING: readonly never[] = Object.freeze([])

export class SortedIndexList<T> implements SortedIndex<T>, Watcher<T> {
  readonly #shelves = new Map<string, Shelf<T>>()

  constructor(
    private readonly keys: (value: T) => readonly string[],
    private readonly order: Order<T>,
  ) {}

  get(key: string): readonly T[] {
    const shelf = this.#shelves.get(key)
    if (shelf === undefined) return NOTHING
    // Records mostly come in the order of time, and what is nearly sorted is sorted fast.
    return (shelf.list ??= [...shelf.byId.values()].reverse().sort(this.order))
  }

  size(key: string): number {
    return this.#shelves.get(key)?.byId.size ?? 0
  }

  changed(id: string, before: T | undefined, after: T | undefined): void {
    const oldKeys = before === undefined ? NOTHING : this.keys(before)
    const newKeys = after === undefined ? NOTHING : this.keys(after)
    const keepsPlace = before !== undefined && after !== undefined && this.order(before, after) === 0
    for (const key of oldKeys) {
      if (before !== undefined && !(keepsPlace && newKeys.includes(key))) this.#takeOff(key, id, before)
    }
    for (const key of newKeys) {
      if (after !== undefined) this.#putOn(key, id, after, keepsPlace && oldKeys.includes(key) ? 1 : 0)
    }
  }

  #putOn(key: string, id: string, value: T, replaced: 0 | 1): void {
    const shelf = this.#shelves.get(key)
    if (shelf === undefined) {
      this.#shelves.set(key, { byId: new Map([[id, value]]), list: undefined })
      return
    }
    shelf.byId.set(id, value)
    shelf.list?.splice(this.#placeOf(shelf.list, value), replaced, value)
  }

  #takeOff(key: string, id: string, value: T): void {
    const shelf = this.#shelves.get(key)
    if (shelf === undefined) return
    shelf.byId.delete(id)
    shelf.list?.splice(this.#placeOf(shelf.list, value), 1)
    if (shelf.byId.size === 0) this.#shelves.delete(key)
  }

  /** Where the record stands, or would stand. */
  #placeOf(list: readonly T[], value: T): number {
    let [low, high] = [0, list.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const there = list[middle]
      if (there !== undefined && this.order(there, value) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
