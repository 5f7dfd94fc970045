import type { FileHandle } from 'node:fs/promises'
import type { BlobDraft } from './blob-draft'
import type { Companions } from './companions'
import type { Digests } from './digests'
import type { PartialFiles } from './partial-files'
import type { DraftOptions } from './drafts'
import type { Shelf, StoredBlobs } from './stored-blobs'

/** The bytes of files under random ids. A published blob never changes. Only the library knows which file it is. */
export interface BlobStore extends StoredBlobs, Pick<Shelf, 'remove' | 'withFile'> {
  /** Unfinished resumable uploads. */
  readonly partial: PartialFiles
  readonly companions: Companions
  begin(options?: DraftOptions): Promise<BlobDraft>
  /** A draft that shares the blocks of a local file. Undefined if the store cannot do this: copy the bytes. */
  clone(source: FileHandle, sourcePath: string): Promise<BlobDraft | undefined>
  /** Reads the first `size` bytes for both digests, in a worker. */
  digests(blobId: string, size: number): Promise<Digests>
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
