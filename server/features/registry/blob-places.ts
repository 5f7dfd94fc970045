import type { BytePart } from '../../core/byte-source'

const PREFIX = 'sha256:'
const DIGEST_BYTES = 32

/**
 * The places of the blobs of an archive, by digest. Uses 48 bytes for each, because a host may have
 * many thousands.
 */
export class BlobPlaces {
  readonly #digests: Buffer
  /** The offset and size of each blob. */
  readonly #places: Float64Array

  /** `blobs`: keyed by SHA-256 in hexadecimal. */
  constructor(blobs: ReadonlyMap<string, BytePart>) {
    this.#digests = Buffer.from([...blobs.keys()].join(''), 'hex')
    this.#places = Float64Array.from(
      [...blobs.values()].flatMap(({ offset, size }) => [offset, size]),
    )
  }

  get size(): number {
    return this.#places.length / 2
  }

  /** The memory in use. */
  get bytes(): number {
    return this.#digests.length + this.#places.byteLength
  }

  /** Finds the place of a blob. `digest`: `sha256:…`. */
  get(digest: string): BytePart | undefined {
    const bytes = Buffer.from(digest.startsWith(PREFIX) ? digest.slice(PREFIX.length) : '', 'hex')
    if (bytes.length !== DIGEST_BYTES) return undefined
    let at = this.#digests.indexOf(bytes)
    while (at % DIGEST_BYTES > 0) at = this.#digests.indexOf(bytes, at + 1)
    return at < 0 ? undefined : this.#placeOf(at / DIGEST_BYTES)
  }

  *values(): Generator<BytePart> {
    for (let number = 0; number < this.size; number++) yield this.#placeOf(number)
  }

  #placeOf(number: number): BytePart {
    const [offset = 0, size = 0] = this.#places.subarray(2 * number)
    return { offset, size }
  }
}
