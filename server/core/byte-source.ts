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
  /** Its length in bytes. Only a source that knows it without another request has this. */
  stat?(): Promise<{ size: number }>
}

/** Reads a part of a source, and closes it. Fewer bytes where the source ends before. */
export async function readPart(source: ByteSource, part: BytePart): Promise<Buffer> {
  try {
    return await readBytes(source, part)
  } finally {
    await source.close()
  }
}

/** Reads a part of a source. Fewer bytes where the source ends before. */
export async function readBytes(
  source: Pick<ByteSource, 'read'>,
  { offset, size }: BytePart,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size)
  let filled = 0
  while (filled < size) {
    const { bytesRead } = await source.read(bytes, filled, size - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
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
