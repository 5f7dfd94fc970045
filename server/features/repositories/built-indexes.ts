/** The least recently used ones make room. An index has at most a few MB. */
const MOST = 16

/** An index and the state of the library that it was built from. */
interface Built<Index> {
  revision: number
  index: Promise<Index>
}

/**
 * The indexes that were built last. Each is built again when the library has changed, from the one before: where its
 * content is the same, it keeps its date, bytes and signature.
 */
export class BuiltIndexes {
  readonly #built = new Map<string, Built<unknown>>()

  constructor(private readonly revision: () => number) {}

  /** `build` gets the index before, of the same key. Requests at the same time wait for one build. */
  get<Index>(key: string, build: (before: Index | undefined) => Promise<Index>): Promise<Index> {
    const revision = this.revision()
    const before = this.#built.get(key) as Built<Index> | undefined
    this.#built.delete(key)
    const current = before?.revision === revision ? before : { revision, index: this.#next(before, build) }
    this.#built.set(key, current)
    current.index.catch(() => this.#forget(key, current))
    const [oldest] = this.#built.keys()
    if (this.#built.size > MOST && oldest !== undefined) this.#built.delete(oldest)
    return current.index
  }

  async #next<Index>(before: Built<Index> | undefined, build: (before: Index | undefined) => Promise<Index>) {
    return build(await before?.index.catch(() => undefined))
  }

  #forget(key: string, failed: Built<unknown>): void {
    if (this.#built.get(key) === failed) this.#built.delete(key)
  }
}
