/** Keeps the values that were used last, as long as they fit into a number of bytes together. */
export class SizedCache<Key, Value> {
  /** The least recently used one first. */
  readonly #entries = new Map<Key, { value: Value; bytes: number }>()
  #bytes = 0

  constructor(private readonly most: number) {}

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Replaces the value of a key. One that is larger than the whole cache is not kept. */
  set(key: Key, value: Value, bytes = estimateSize(value)): void {
    this.delete(key)
    if (bytes > this.most) return
    this.#entries.set(key, { value, bytes })
    this.#bytes += bytes

    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.most) return
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}

/** Estimated overhead of an entry or object, in bytes. */
const OVERHEAD = 100

/** Estimates the bytes of memory that plain data holds. What several places share counts once. */
export function estimateSize(value: unknown, counted = new Set<object>()): number {
  if (typeof value === 'string') return OVERHEAD + value.length
  if (typeof value !== 'object' || value === null || counted.has(value)) return OVERHEAD
  counted.add(value)
  if (ArrayBuffer.isView(value)) return OVERHEAD + value.byteLength

  const parts = value instanceof Map ? [...value.keys(), ...value.values()] : Object.values(value)
  return parts.reduce((sum: number, part) => sum + estimateSize(part, counted), OVERHEAD)
}
