import type { ByteSource } from '../../core/byte-source'
import type { CopyOptions, Placed } from '../copy-files'
import type { SidecarName } from './blob-names'

/** The metadata of a published blob, known without reading it. */
export interface StoredBlob {
  /** Bytes. */
  size: number
  madeAt: Date
  /** Equal for names of one file on this computer. Missing in a bucket. */
  inode?: string
}

/**
 * Published blobs to read: those of this host, or of a folder that no host uses, such as a backup.
 */
export interface StoredBlobs {
  /** Blobs with and without a record. */
  ids(): AsyncIterable<string>
  /** Lists every blob and sidecar by name. Only stores that can do so in one request have it. */
  list?(): Promise<ReadonlyMap<string, StoredBlob>>
  /** Looks up a blob or sidecar. Returns undefined if there is none. */
  find(name: string): Promise<StoredBlob | undefined>
  open(blobId: string): Promise<ByteSource>
  /**
   * Reads a whole sidecar. Returns undefined if there is none, or if it has more than `most` bytes.
   */
  sidecar(blobId: string, name: SidecarName, most?: number): Promise<Buffer | undefined>
}

/** Published blobs with their sidecars. */
export interface BlobBackend extends StoredBlobs {
  /**
   * Moves a file of this host's `tmp/` to the blob or sidecar `name`. Calls `moved` with its new
   * path, if it has one. Returns once it would survive a power cut.
   */
  accept(from: string, name: string, moved: (path: string) => void): Promise<void>
  /** Runs `work` with a file of this host that has the bytes, which may be gone afterwards. */
  withFile<T>(blobId: string, work: (path: string) => Promise<T>): Promise<T>
  /** Copies a blob or sidecar to a new file, durably. Returns undefined if there is none. */
  copyTo(name: string, to: string, options?: CopyOptions): Promise<Placed | undefined>
  /** Deletes a blob and its sidecars. */
  remove(blobId: string): Promise<void>
  removeSidecar(blobId: string, name: SidecarName): Promise<void>
}
