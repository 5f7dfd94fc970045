import type { FileHandle } from 'node:fs/promises'
import type { BlobDraft } from './blob-draft'
import type { Companions } from './companions'
import type { Digests } from './digests'
import type { PartialFiles } from './partial-files'
import type { StoredBlobs } from './stored-blobs'

export interface DraftOptions {
  /** Called with the total size before each write; may delay it. An error ends the stream. */
  onBytes?: (total: number) => Promise<void> | undefined
  onWritten?: (upTo: number) => void
  /** The minimum size of the file in bytes; a large file is hashed in a worker. */
  leastBytes?: number
  ownsChunks?: boolean
}

/** The bytes of files under random ids. A published blob never changes. Only the library knows which file it is. */
export interface BlobStore extends StoredBlobs {
  /** Unfinished resumable uploads, always on the disk of this host. */
  readonly partial: PartialFiles
  readonly companions: Companions
  begin(options?: DraftOptions): Promise<BlobDraft>
  /** A draft that shares the blocks of a local file. Undefined if the store cannot do this: copy the bytes. */
  clone(source: FileHandle, sourcePath: string): Promise<BlobDraft | undefined>
  /** Reads the first `size` bytes for both digests, in a worker. */
  digests(blobId: string, size: number): Promise<Digests>
  remove(blobId: string): Promise<void>
  /** How many more bytes the store takes. */
  free(): Promise<number>
  /**
   * Deletes drafts of earlier runs. Sets blobs without a record aside for a week, or until one names them. `began`: when
   * the library began; it deletes no blob that is older, because it may have replaced the one that knew it.
   */
  sweep(
    isReferenced: (blobId: string) => boolean,
    began: Date | undefined,
  ): Promise<{ drafts: number; orphans: number }>
}
