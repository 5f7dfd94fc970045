import type { ByteSource } from '../core/byte-source'

/** An open file that may be a package. */
export interface PackageFile {
  bytes: Pick<ByteSource, 'read'>
  /** In bytes. */
  size: number
}

/** Reads exactly these bytes. Throws RangeError for a position outside the file, as in a damaged package. */
export async function readAt({ bytes, size }: PackageFile, position: number, length: number): Promise<Buffer> {
  if (!(position >= 0 && length >= 0 && position + length <= size)) throw new RangeError('No such position')
  const buffer = Buffer.allocUnsafe(length)
  for (let filled = 0; filled < length;) {
    const { bytesRead } = await bytes.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) throw new RangeError('The file is shorter than it was')
    filled += bytesRead
  }
  return buffer
}
