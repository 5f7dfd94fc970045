import type { ByteSource } from '../../core/byte-source'
import { Unreadable } from './look.ts'

/** Limits how much of one package is read, in bytes. */
const MOST_BYTES = 32 * 1024 * 1024

/** Bytes of a package. */
export interface Place {
  position: number
  /** In bytes. */
  length: number
}

/** An open file that may be a package. */
export class PackageFile {
  #left = MOST_BYTES

  readonly #bytes: Pick<ByteSource, 'read'>
  /** In bytes. */
  readonly size: number

  constructor(bytes: Pick<ByteSource, 'read'>, size: number) {
    this.#bytes = bytes
    this.size = size
  }

  /** Reads exactly these bytes. Throws RangeError for a position outside the file, as in a damaged package. */
  async read(position: number, length: number): Promise<Buffer> {
    if (!(position >= 0 && length >= 0 && position + length <= this.size)) throw new RangeError('No such position')
    this.#left -= length
    if (this.#left < 0) throw new Unreadable('Its description is too large to read.')
    const buffer = Buffer.allocUnsafe(length)
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await this.#bytes.read(buffer, filled, length - filled, position + filled)
      if (bytesRead === 0) throw new RangeError('The file is shorter than it was')
      filled += bytesRead
    }
    return buffer
  }

  /** A range of it as a file, such as a stored member of a zip. Its reads count for the limit of the whole file. */
  part(start: number, size: number): PackageFile {
    if (!(start >= 0 && size >= 0 && start + size <= this.size)) throw new RangeError('No such position')
    const read: ByteSource['read'] = async (into, offset, length, position) => {
      const bytes = await this.read(start + position, length)
      return { bytesRead: bytes.copy(into, offset) }
    }
    return new PackageFile({ read }, size)
  }
}
