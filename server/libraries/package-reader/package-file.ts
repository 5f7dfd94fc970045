import { createHash, type Hash } from 'node:crypto'
import type { ByteSource } from '../../core/byte-source'
import { Unreadable } from './look.ts'

/** Limits how much of one package is read, in bytes. */
const MOST_BYTES = 32 * 1024 * 1024
/** Limits which files are hashed: a second or less. */
const MOST_HASHED = 256 * 1024 * 1024
const CHUNK = 1024 * 1024

/** Bytes of a package. */
export interface Place {
  position: number
  /** Bytes. */
  length: number
}

/** An open file that may be a package. */
export class PackageFile {
  #left = MOST_BYTES

  readonly #bytes: Pick<ByteSource, 'read'>
  /** Bytes. */
  readonly size: number

  constructor(bytes: Pick<ByteSource, 'read'>, size: number) {
    this.#bytes = bytes
    this.size = size
  }

  /**
   * Reads exactly these bytes. Throws RangeError for a position outside the file, as in a damaged
   * package.
   */
  async read(position: number, length: number): Promise<Buffer> {
    if (!(position >= 0 && length >= 0 && position + length <= this.size))
      throw new RangeError('No such position')
    this.#left -= length
    if (this.#left < 0) throw new Unreadable('Its description is too large to read.')
    return this.#readAt(position, length)
  }

  /**
   * Digests of the whole file, in the order of the algorithms. Undefined: it is too large for that.
   */
  async digests(...algorithms: string[]): Promise<Buffer[] | undefined> {
    if (this.size > MOST_HASHED) return undefined
    const hashes = algorithms.map((algorithm): Hash => createHash(algorithm))
    for (let at = 0; at < this.size; at += CHUNK) {
      const chunk = await this.#readAt(at, Math.min(CHUNK, this.size - at))
      for (const hash of hashes) hash.update(chunk)
    }
    return hashes.map((hash) => hash.digest())
  }

  async #readAt(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length)
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await this.#bytes.read(
        buffer,
        filled,
        length - filled,
        position + filled,
      )

      if (bytesRead === 0) throw new RangeError('The file is shorter than it was')
      filled += bytesRead
    }
    return buffer
  }

  /**
   * Returns a range as a file, such as a stored member of a zip. Its reads share the limit of the
   * whole file.
   */
  part(start: number, size: number): PackageFile {
    if (!(start >= 0 && size >= 0 && start + size <= this.size))
      throw new RangeError('No such position')
    const read: ByteSource['read'] = async (into, offset, length, position) => {
      const bytes = await this.read(start + position, length)
      return { bytesRead: bytes.copy(into, offset) }
    }
    return new PackageFile({ read }, size)
  }
}
