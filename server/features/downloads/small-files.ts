import { memorySource, type ByteSource } from '../../core/byte-source'

/** Up to this a file is sent from memory, and so many bytes of them are kept. */
const SMALL_BYTES = 64 * 1024
const KEPT_BYTES = 4 * 1024 * 1024

/**
 * The bytes of small files that were sent last: lists of versions that every installed app asks for, checksums. Opening,
 * reading and closing one takes longer than sending it. The bytes of a blob never change, and who may have them is asked
 * before.
 */
export class SmallFiles {
  /** By blob; the one that was not asked for longest is first. */
  readonly #kept = new Map<string, Buffer>()
  #bytes = 0

  constructor(private readonly blobs: { open(blobId: string): Promise<ByteSource> }) {}

  /** The bytes of a file, from memory where they are small. */
  async open({ blobId, size }: { blobId: string; size: number }): Promise<ByteSource> {
    if (size > SMALL_BYTES) return this.blobs.open(blobId)
    const bytes = this.#kept.get(blobId) ?? (await this.#read(blobId, size))
    // What is shorter than its record is told by whoever sends it, each time anew.
    if (bytes.length === size) this.#keep(blobId, bytes)
    return memorySource(bytes)
  }

  async #read(blobId: string, size: number): Promise<Buffer> {
    const file = await this.blobs.open(blobId)
    try {
      const bytes = Buffer.alloc(size)
      const { bytesRead } = await file.read(bytes, 0, size, 0)
      return bytes.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  #keep(blobId: string, bytes: Buffer): void {
    if (!this.#kept.delete(blobId)) this.#bytes += bytes.length
    this.#kept.set(blobId, bytes)
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= KEPT_BYTES) break
      this.#kept.delete(oldest)
      this.#bytes -= length
    }
  }
}
