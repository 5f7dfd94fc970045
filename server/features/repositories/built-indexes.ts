import { SizedCache, estimateSize } from '../../core/sized-cache'

/**
 * The most bytes of all indexes. Most have some kB. Those that do not fit are built again by each
 * request. An index that is still being built counts as a few.
 */
const MOST_BYTES = 16 * 1024 * 1024
const WHILE_BUILDING = 1024

/** An index and the revision of the library it was built from. */
interface Built<Index> {
  revision: number
  index: Promise<Index>
}

/**
 * Caches the indexes that were used last. When the library has changed, an index is rebuilt from
 * its predecessor: if the contents are equal, it keeps its date, bytes and signature.
 */
export class BuiltIndexes {
  readonly #built = new SizedCache<string, Built<unknown>>(MOST_BYTES)

  constructor(private readonly revision: () => number) {}

  /**
   * Returns an index. `build` gets the previous index of the same key. Concurrent requests share a
   * build.
   */
  get<Index>(key: string, build: (before: Index | undefined) => Promise<Index>): Promise<Index> {
    const revision = this.revision()
    const before = this.#built.get(key) as Built<Index> | undefined
    if (before?.revision === revision) return before.index

    const current = { revision, index: this.#next(before, build) }
    this.#built.set(key, current, WHILE_BUILDING)
    void this.#measure(key, current)
    return current.index
  }

  async #next<Index>(
    before: Built<Index> | undefined,
    build: (before: Index | undefined) => Promise<Index>,
  ) {
    return build(await before?.index.catch(() => undefined))
  }

  /** Updates the size of an index, and removes it if the build failed. */
  async #measure(key: string, current: Built<unknown>): Promise<void> {
    const bytes = await current.index.then(
      (index) => estimateSize(index),
      () => undefined,
    )
    if (this.#built.get(key) !== current) return
    if (bytes === undefined) this.#built.delete(key)
    else this.#built.set(key, current, key.length + bytes)
  }
}
