import type { ByteSource } from '../../core/byte-source'
import type { CompanionName } from './blob-names'

/** The metadata of a published blob, known without reading it. */
export interface StoredBlob {
  /** In bytes. */
  size: number
  madeAt: Date
}

/** Published blobs to read: those of this host, or of a folder that no host uses, such as a backup. */
export interface StoredBlobs {
  /** Blobs with and without a record. */
  ids(): AsyncIterable<string>
  /** Undefined if there is none. */
  find(blobId: string): Promise<StoredBlob | undefined>
  open(blobId: string): Promise<ByteSource>
  /** The whole companion; undefined if there is none, or it has more than `most` bytes. */
  companion(blobId: string, name: CompanionName, most?: number): Promise<Buffer | undefined>
}
