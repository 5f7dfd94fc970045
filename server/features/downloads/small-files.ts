import { memorySource, type ByteSource } from '../../core/byte-source'

/** Files up to this size are sent from memory; KEPT_BYTES bounds the cache. */
const SMALL_BYTES = 64 * 1024
const KEPT_BYTES = 4 * 1024 * 1024

/**
 * Cache of small files, such as update feeds and checksums: opening and reading one takes longer than sending it. Blobs
 * never change; access is checked before.
 */
export class SmallFiles {
  /** By blob id, least recently used first. */
  readonly #kept = new Map<string, Buffer>()
  #bytes = 0

  constructor(private readonly blobs: { open(blobId: string): Promise<ByteSource> }) {}

  /** Opens a file, from memory if it is small. */
  async open({ blobId, size }: { blobId: string; size: number }): Promise<ByteSource> {
    if (size > SMALL_BYTES) return this.blobs.open(blobId)
    const bytes = this.#kept.get(blobId) ?? (await this.#read(blobId, size))
    // The sender reports a truncated file, so it must not be cached.
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
