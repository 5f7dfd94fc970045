import type { CollectionName } from './library-data'
import { ManyIndex, SumIndex, UniqueIndexMap, type Index, type Sum, type UniqueIndex, type Watcher } from './indexes'
import { SortedIndexList, type Order, type SortedIndex } from './sorted-index'

/** The records of one noun, as they stand in memory. Reads are synchronous; changes go through a transaction. */
export interface Collection<T extends object> {
  readonly name: CollectionName
  readonly size: number
  get(id: string): T | undefined
  has(id: string): boolean
  /** In the order in which the ids were first put. */
  values(): IterableIterator<T>
  /** Finds records by a key that many share. A record whose key is undefined is not in the index. */
  index(key: (value: T) => string | undefined): Index<T>
  /** Finds records that stand under several keys at once. */
  indexMany(key: (value: T) => readonly string[]): Index<T>
  /** Finds records by keys that many share, in one order. */
  sorted(keys: (value: T) => readonly string[], order: Order<T>): SortedIndex<T>
  /** Finds the one record with a key. That no two share it is for the store to check, in its transaction. */
  uniqueIndex(key: (value: T) => string | undefined): UniqueIndex<T>
  /** Calls `changed` for every change from now on, also for those that a failure takes back. It must not throw. */
  watch(changed: Watcher<T>['changed']): void
  /** Keeps a total per group, such as the bytes of each owner. */
  sum(group: (value: T) => string, amount: (value: T) => number): Sum
}

/** A collection over its Map. Only the library calls `put` and `delete`. */
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
        const found = key(value)
        return found === undefined ? [] : [found]
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
