import type { Watcher } from './indexes'

/** Groups records by keys, and keeps each group sorted. */
export interface SortedIndex<T> {
  /** The list is live: copy what you need before you await. */
  get(key: string): readonly T[]
  size(key: string): number
}

/** Compares two records; 0 only for two states of the same record. */
export type Order<T> = (a: T, b: T) => number

/** Newest first by a UTC ISO time; ties: the higher id first. */
export const newestBy =
  <T extends { id: string }>(time: (value: T) => string): Order<T> =>
  (a, b) => {
    const first = time(a)
    const second = time(b)
    if (first !== second) return first < second ? 1 : -1
    return a.id === b.id ? 0 : a.id < b.id ? 1 : -1
  }

interface Group<T> {
  list: T[]
  /** A list is sorted on first use: while the library loads, records are only appended. */
  isSorted: boolean
}

const NOTHING: readonly never[] = Object.freeze([])

export class SortedIndexList<T> implements SortedIndex<T>, Watcher<T> {
  readonly #groups = new Map<string, Group<T>>()

  constructor(
    private readonly keys: (value: T) => readonly string[],
    private readonly order: Order<T>,
  ) {}

  get(key: string): readonly T[] {
    const group = this.#groups.get(key)
    return group === undefined ? NOTHING : this.#sorted(group)
  }

  size(key: string): number {
    return this.#groups.get(key)?.list.length ?? 0
  }

  changed(_id: string, before: T | undefined, after: T | undefined): void {
    const oldKeys = before === undefined ? NOTHING : this.keys(before)
    const newKeys = after === undefined ? NOTHING : this.keys(after)
    const keepsPlace =
      before !== undefined && after !== undefined && this.order(before, after) === 0
    for (const key of oldKeys) {
      if (before !== undefined && !(keepsPlace && newKeys.includes(key))) this.#takeOff(key, before)
    }
    for (const key of newKeys) {
      if (after !== undefined) this.#putOn(key, after, keepsPlace && oldKeys.includes(key))
    }
  }

  #putOn(key: string, value: T, replaces: boolean): void {
    const group = this.#groups.get(key)
    if (group === undefined) this.#groups.set(key, { list: [value], isSorted: false })
    else if (!group.isSorted && !replaces) group.list.push(value)
    else {
      const list = this.#sorted(group)
      list.splice(this.#findPlace(list, value), replaces ? 1 : 0, value)
    }
  }

  #takeOff(key: string, value: T): void {
    const group = this.#groups.get(key)
    if (group === undefined) return
    const list = this.#sorted(group)
    list.splice(this.#findPlace(list, value), 1)
    if (list.length === 0) this.#groups.delete(key)
  }

  /** Records mostly arrive in order of time, so the reversed list is nearly sorted. */
  #sorted(group: Group<T>): T[] {
    if (!group.isSorted) group.list.reverse().sort(this.order)
    group.isSorted = true
    return group.list
  }

  #findPlace(list: readonly T[], value: T): number {
    let low = 0
    let high = list.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const there = list[middle]
      if (there !== undefined && this.order(there, value) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
