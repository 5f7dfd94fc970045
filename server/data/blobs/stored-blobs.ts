import type { ByteSource } from '../../core/byte-source'
import type { CopyOptions, Placed } from '../copy-files'
import type { CompanionName } from './blob-names'

/** The metadata of a published blob, known without reading it. */
export interface StoredBlob {
  /** In bytes. */
  size: number
  madeAt: Date
}

/**
 * Published blobs to read: those of this host, or of a folder that no host uses, such as a backup.
 */
export interface StoredBlobs {
  /** Blobs with and without a record. */
  ids(): AsyncIterable<string>
  /**
   * Every blob and companion by its name, where one question tells all: else each one is looked at.
   */
  list?(): Promise<ReadonlyMap<string, StoredBlob>>
  /** Undefined if there is none. Of companions, too. */
  find(name: string): Promise<StoredBlob | undefined>
  open(blobId: string): Promise<ByteSource>
  /** The whole companion; undefined if there is none, or it has more than `most` bytes. */
  companion(blobId: string, name: CompanionName, most?: number): Promise<Buffer | undefined>
}

/** Where published blobs are, with their companions. */
export interface Shelf extends StoredBlobs {
  /**
   * Moves a file of this host's `tmp/` here, as the blob or companion `name`. Calls `moved` with
   * the path that the file has then, if it still has one; returns once it would survive a power
   * cut.
   */
  accept(from: string, name: string, moved: (path: string) => void): Promise<void>
  /** Runs `work` with a file of this host that has the bytes, which may be gone afterwards. */
  withFile<T>(blobId: string, work: (path: string) => Promise<T>): Promise<T>
  /** Copies a blob or companion to a new file, durably. Undefined if there is none. */
  copyTo(name: string, to: string, options?: CopyOptions): Promise<Placed | undefined>
  /** Deletes a blob and its companions. */
  remove(blobId: string): Promise<void>
  removeCompanion(blobId: string, name: CompanionName): Promise<void>
}
