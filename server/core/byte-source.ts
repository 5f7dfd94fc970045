/** Bytes of a known length that are read by position, as those of an open file are. */
export interface ByteSource {
  /** Fills at most `length` bytes of `into`; 0 bytes: the source is shorter than its length says. */
  read(into: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  close(): Promise<void>
}

/** Bytes that are in memory. */
export const memorySource = (bytes: Buffer): ByteSource => ({
  read: (into, offset, length, position) =>
    Promise.resolve({ bytesRead: bytes.copy(into, offset, position, position + length) }),
  close: () => Promise.resolve(),
})
