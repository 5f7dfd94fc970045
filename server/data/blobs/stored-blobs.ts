import type { ByteSource } from '../../core/byte-source'
import type { CopyOptions, Placed } from '../copy-files'
import type { SidecarName } from './blob-names'

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
   * Every blob and sidecar by its name, where one question tells all: else each one is looked at.
   */
  list?(): Promise<ReadonlyMap<string, StoredBlob>>
  /** Undefined if there is none. Of sidecars, too. */
  find(name: string): Promise<StoredBlob | undefined>
  open(blobId: string): Promise<ByteSource>
  /** The whole sidecar; undefined if there is none, or it has more than `most` bytes. */
  sidecar(blobId: string, name: SidecarName, most?: number): Promise<Buffer | undefined>
}

/** Where published blobs are, with their sidecars. */
export interface BlobBackend extends StoredBlobs {
  /**
   * Moves a file of this host's `tmp/` here, as the blob or sidecar `name`. Calls `moved` with
   * the path that the file has then, if it still has one; returns once it would survive a power
   * cut.
   */
  accept(from: string, name: string, moved: (path: string) => void): Promise<void>
  /** Runs `work` with a file of this host that has the bytes, which may be gone afterwards. */
  withFile<T>(blobId: string, work: (path: string) => Promise<T>): Promise<T>
  /** Copies a blob or sidecar to a new file, durably. Undefined if there is none. */
  copyTo(name: string, to: string, options?: CopyOptions): Promise<Placed | undefined>
  /** Deletes a blob and its sidecars. */
  remove(blobId: string): Promise<void>
  removeSidecar(blobId: string, name: SidecarName): Promise<void>
}
