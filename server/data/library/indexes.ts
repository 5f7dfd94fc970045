export interface Index<T> {
  /**
   * The records with this key, in the order in which they got it. Cheap: the list is cached until
   * it changes.
   */
  get(key: string): readonly T[]
}

export interface UniqueIndex<T> {
  get(key: string): T | undefined
}

export interface Sum {
  get(group: string): number
  /** The groups whose sum is not 0, in the order in which they got it. */
  groups(): Iterable<string>
}

/** Observes every change of a collection, also rollbacks. Must not throw. */
export interface Watcher<T> {
  changed(id: string, before: T | undefined, after: T | undefined): void
}

const NOTHING: readonly never[] = Object.freeze([])

interface Group<T> {
  byId: Map<string, T>
  list: readonly T[] | undefined
}

export class ManyIndex<T> implements Index<T>, Watcher<T> {
  readonly #groups = new Map<string, Group<T>>()

  constructor(private readonly keys: (value: T) => readonly string[]) {}

  get(key: string): readonly T[] {
    const group = this.#groups.get(key)
    if (group === undefined) return NOTHING
    return (group.list ??= [...group.byId.values()])
  }

  changed(id: string, before: T | undefined, after: T | undefined): void {
    const oldKeys = before === undefined ? NOTHING : this.keys(before)
    const newKeys = after === undefined ? NOTHING : this.keys(after)
    for (const key of oldKeys) if (!newKeys.includes(key)) this.#takeOff(key, id)
    // A record that keeps its key keeps its place: setting a Map key again does not move it.
    if (after !== undefined) for (const key of newKeys) this.#putOn(key, id, after)
  }

  #putOn(key: string, id: string, value: T): void {
    const group = this.#groups.get(key)
    if (group === undefined)
      this.#groups.set(key, { byId: new Map([[id, value]]), list: undefined })
    else {
      group.byId.set(id, value)
      group.list = undefined
    }
  }

  #takeOff(key: string, id: string): void {
    const group = this.#groups.get(key)
    if (group === undefined) return
    group.byId.delete(id)
    group.list = undefined
    if (group.byId.size === 0) this.#groups.delete(key)
  }
}

export class UniqueIndexMap<T> implements UniqueIndex<T>, Watcher<T> {
  readonly #byKey = new Map<string, T>()

  constructor(private readonly key: (value: T) => string | undefined) {}

  get(key: string): T | undefined {
    return this.#byKey.get(key)
  }

  changed(_id: string, before: T | undefined, after: T | undefined): void {
    const oldKey = before === undefined ? undefined : this.key(before)
    const newKey = after === undefined ? undefined : this.key(after)
    // A transaction may pass a key from one record to another, so only its holder releases it.
    if (oldKey !== undefined && this.#byKey.get(oldKey) === before) this.#byKey.delete(oldKey)
    if (newKey !== undefined && after !== undefined) this.#byKey.set(newKey, after)
  }
}

export class SumIndex<T> implements Sum, Watcher<T> {
  readonly #totals = new Map<string, number>()

  constructor(
    private readonly group: (value: T) => string,
    private readonly amount: (value: T) => number,
  ) {}

  get(group: string): number {
    return this.#totals.get(group) ?? 0
  }

  groups(): Iterable<string> {
    return this.#totals.keys()
  }

  changed(_id: string, before: T | undefined, after: T | undefined): void {
    if (before !== undefined) this.#add(this.group(before), -this.amount(before))
    if (after !== undefined) this.#add(this.group(after), this.amount(after))
  }

  #add(group: string, amount: number): void {
    const total = this.get(group) + amount
    if (total === 0) this.#totals.delete(group)
    else this.#totals.set(group, total)
  }
}

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

interface SortedGroup<T> {
  list: T[]
  /** A list is sorted on first use: while the library loads, records are only appended. */
  isSorted: boolean
}

export class SortedIndexList<T> implements SortedIndex<T>, Watcher<T> {
  readonly #groups = new Map<string, SortedGroup<T>>()

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
  #sorted(group: SortedGroup<T>): T[] {
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
