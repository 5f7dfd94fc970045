/** First and last byte, both included, as in `Content-Range`. */
export interface ByteRange {
  start: number
  end: number
}

/** A byte range: offset and length. */
export interface BytePart {
  offset: number
  size: number
}

/** Bytes of a known length that are read by position, like an open file. */
export interface ByteSource {
  /**
   * Fills at most `length` bytes of `into`; 0 bytes read: the source is shorter than its length.
   */
  read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>
  close(): Promise<void>
}

/** Reads a part of a source, and closes it. Fewer bytes where the source ends before. */
export async function readPart(source: ByteSource, { offset, size }: BytePart): Promise<Buffer> {
  try {
    const bytes = Buffer.alloc(size)
    const { bytesRead } = await source.read(bytes, 0, size, offset)
    return bytes.subarray(0, bytesRead)
  } finally {
    await source.close()
  }
}

/** A ByteSource over a buffer. */
export const memorySource = (bytes: Buffer): ByteSource => ({
  read: (into, offset, length, position) =>
    Promise.resolve({ bytesRead: bytes.copy(into, offset, position, position + length) }),
  close: () => Promise.resolve(),
})

/** A ByteSource over what follows `start` in another one. */
export const sliceSource = (source: ByteSource, start: number): ByteSource => ({
  read: (into, offset, length, position) => source.read(into, offset, length, start + position),
  close: () => source.close(),
})
