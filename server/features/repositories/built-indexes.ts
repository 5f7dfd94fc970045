import { SizedCache, sizeOf } from '../../core/sized-cache'

/** Of all indexes together. One that is still being built counts as little. */
const MOST_BYTES = 64 * 1024 * 1024
const WHILE_BUILDING = 1024

/** An index and the state of the library that it was built from. */
interface Built<Index> {
  revision: number
  index: Promise<Index>
}

/**
 * The indexes that were used last. Each is built again when the library has changed, from the one
 * before: where its content is the same, it keeps its date, bytes and signature.
 */
export class BuiltIndexes {
  readonly #built = new SizedCache<string, Built<unknown>>(MOST_BYTES)

  constructor(private readonly revision: () => number) {}

  /**
   * `build` gets the index before, of the same key. Requests at the same time wait for one build.
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

  /** Forgets an index that failed. */
  async #measure(key: string, current: Built<unknown>): Promise<void> {
    const bytes = await current.index.then(sizeOf, () => undefined)
    if (this.#built.get(key) !== current) return
    if (bytes === undefined) this.#built.delete(key)
    else this.#built.set(key, current, key.length + bytes)
  }
}
