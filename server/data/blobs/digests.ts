import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The digests of a file. */
export interface Digests {
  /** Hexadecimal. */
  sha256: string
  /** The CRC-32 of zip (RFC 1952 §8), 0 to 2³²−1; only on request. */
  crc32?: number | undefined
}

/** Computes digests from a stream. `withCrc32` costs a quarter more. */
export class Digester {
  readonly #sha256 = createHash('sha256')
  #crc32: number | undefined

  constructor({ withCrc32 }: { withCrc32: boolean }) {
    if (withCrc32) this.#crc32 = 0
  }

  update(chunk: Buffer): void {
    this.#sha256.update(chunk)
    if (this.#crc32 !== undefined) this.#crc32 = crc32(chunk, this.#crc32)
  }

  digests(): Digests {
    return { sha256: this.#sha256.digest('hex'), crc32: this.#crc32 }
  }
}
