import type { CollectionName } from '../records/records'
import {
  ManyIndex,
  SortedIndexList,
  SumIndex,
  UniqueIndexMap,
  type SortedIndex,
  type Watcher,
  type Index,
  type Order,
  type Sum,
  type UniqueIndex,
} from './indexes'

/** The records of one kind, in memory. Reads are synchronous; changes need a transaction. */
export interface Collection<T extends object> {
  readonly name: CollectionName
  readonly size: number
  get(id: string): T | undefined
  has(id: string): boolean
  /** Values in the order in which their ids were first added. */
  values(): IterableIterator<T>
  /** Groups records by a key. Records with an undefined key are not indexed. */
  index(key: (value: T) => string | undefined): Index<T>
  /** Groups records by several keys each. */
  indexMany(key: (value: T) => readonly string[]): Index<T>
  /** Groups records by keys, sorted. */
  sorted(keys: (value: T) => readonly string[], order: Order<T>): SortedIndex<T>
  /** Finds one record by its key. The store must check uniqueness in its transaction. */
  uniqueIndex(key: (value: T) => string | undefined): UniqueIndex<T>
  /** Calls `changed` on every change from now on, also on rollbacks. It must not throw. */
  watch(changed: Watcher<T>['changed']): void
  /** Keeps a total per group, such as the bytes of each owner. */
  sum(group: (value: T) => string, amount: (value: T) => number): Sum
  /** Keeps the number of records per group. */
  count(group: (value: T) => string): Sum
}

export class MapCollection<T extends object> implements Collection<T> {
  readonly #watchers: Watcher<T>[] = []

  constructor(
    readonly name: CollectionName,
    private readonly records: Map<string, T>,
  ) {}

  get size(): number {
    return this.records.size
  }

  get(id: string): T | undefined {
    return this.records.get(id)
  }

  has(id: string): boolean {
    return this.records.has(id)
  }

  values(): IterableIterator<T> {
    return this.records.values()
  }

  index(key: (value: T) => string | undefined): Index<T> {
    return this.#watch(
      new ManyIndex<T>((value) => {
        const indexKey = key(value)
        return indexKey === undefined ? [] : [indexKey]
      }),
    )
  }

  indexMany(key: (value: T) => readonly string[]): Index<T> {
    return this.#watch(new ManyIndex<T>(key))
  }

  sorted(keys: (value: T) => readonly string[], order: Order<T>): SortedIndex<T> {
    return this.#watch(new SortedIndexList<T>(keys, order))
  }

  uniqueIndex(key: (value: T) => string | undefined): UniqueIndex<T> {
    return this.#watch(new UniqueIndexMap<T>(key))
  }

  sum(group: (value: T) => string, amount: (value: T) => number): Sum {
    return this.#watch(new SumIndex<T>(group, amount))
  }

  count(group: (value: T) => string): Sum {
    return this.sum(group, () => 1)
  }

  watch(changed: Watcher<T>['changed']): void {
    this.#watchers.push({ changed })
  }

  put(id: string, value: T): void {
    const before = this.records.get(id)
    this.records.set(id, value)
    for (const watcher of this.#watchers) watcher.changed(id, before, value)
  }

  delete(id: string): void {
    const before = this.records.get(id)
    if (before === undefined) return
    this.records.delete(id)
    for (const watcher of this.#watchers) watcher.changed(id, before, undefined)
  }

  #watch<W extends Watcher<T>>(watcher: W): W {
    for (const [id, value] of this.records) watcher.changed(id, undefined, value)
    this.#watchers.push(watcher)
    return watcher
  }
}
