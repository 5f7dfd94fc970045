import type { FileHandle } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import type { ByteSource } from '../../core/byte-source'
import type { BlobDraft, DraftOptions } from './drafts'
import type { Sidecars } from './sidecars'
import type { Digests } from './digests'
import type { BlobBackend, StoredBlobs } from './stored-blobs'

/**
 * The bytes of files under random ids. A published blob never changes. The library maps files to
 * blobs.
 */
export interface BlobStore
  extends StoredBlobs, Pick<BlobBackend, 'copyTo' | 'remove' | 'withFile'> {
  /** Unfinished resumable uploads. */
  readonly partial: PartialUploads
  readonly sidecars: Sidecars
  begin(options?: DraftOptions): Promise<BlobDraft>
  /**
   * A draft that shares the blocks of a local file. Undefined if the store cannot do this: copy the
   * bytes.
   */
  clone(source: FileHandle, sourcePath: string): Promise<BlobDraft | undefined>
  /**
   * Replaces the bytes of a blob by those of a source, which it closes, if they have this SHA-256.
   * Returns whether they had. Missing: the store keeps its own digests.
   */
  replace?(blobId: string, source: ByteSource, sha256: string): Promise<boolean>
  /** Reads the first `size` bytes for both digests, in a worker. */
  digests(blobId: string, size: number): Promise<Digests>
  /** Free space of the store, in bytes. */
  free(): Promise<number>
  /**
   * Deletes drafts of earlier runs. Sets blobs without a record aside for a week, or until a record
   * references them. `began`: start of the library. Older blobs are not deleted, because an earlier
   * library may have referenced them.
   */
  sweep(
    isReferenced: (blobId: string) => boolean,
    began: Date | undefined,
  ): Promise<{ drafts: number; orphans: number }>
  /** Ends a running sweep: afterwards another process may change the folder. */
  endSweep(): Promise<void>
}

/** Location of an upload's bytes in a bucket, up to its offset. */
export interface InBucket {
  /** Id of the multipart upload. */
  uploadId: string
  /** ETags of the complete parts, from the first one on. */
  parts: readonly string[]
  /** Objects with the bytes after the parts, in order; `size` in bytes. */
  tail: readonly { name: string; size: number }[]
}

/** The bytes of a resumable upload, as its record describes them. */
export interface UploadBytes {
  /** Id of the later blob. */
  blobId: string
  /** Complete size in bytes. */
  size: number
  /** Bytes that would survive a power cut. */
  offset: number
  /** Undefined: a disk has them. */
  inBucket?: InBucket | undefined
}

/**
 * How much of an upload would survive a power cut or the loss of this host, and the fields of its
 * record for that.
 */
export type SafeBytes = Pick<UploadBytes, 'offset' | 'inBucket'>

export interface AppendOptions {
  /**
   * Called before bytes are written, with the new total; may delay them. An error ends the stream.
   */
  onBytes?: ((total: number) => Promise<void> | undefined) | undefined
  onWritten?: ((upTo: number) => void) | undefined
  /**
   * Called occasionally during the append to record what is safe. A failure does not end the
   * append.
   */
  onSafe?: ((safe: SafeBytes) => Promise<unknown>) | undefined
}

/** Receives the bytes of one request. Its owner ends, settles and closes it. */
export interface AppendWriter extends Writable {
  /**
   * Makes all received bytes safe, also those before an error of the stream. Fails if that is not
   * possible.
   */
  settle(): Promise<SafeBytes>
  close(): Promise<void>
}

/**
 * The bytes of resumable uploads, which survive a restart, each under the id of its later blob. The
 * record has the offset of an upload; bytes beyond it are overwritten. Allows one append at a time
 * per upload.
 */
export interface PartialUploads {
  /** Most bytes of an upload of this size on the disk of this host. */
  bytesHere(size: number): number
  /** Begins an upload, which survives a power cut; its record follows. */
  create(): Promise<Pick<UploadBytes, 'blobId' | 'inBucket'>>
  /** Continues where the record ends. */
  write(upload: UploadBytes, options: AppendOptions): Promise<AppendWriter>
  /**
   * Call once the record has saved or rolled back what an append made safe. Deletes what the record
   * does not reference.
   */
  accept(upload: UploadBytes): void
  /** A complete upload as a draft. Publishing can be retried after a failure. */
  draft(upload: UploadBytes): Pick<BlobDraft, 'publish'>
  /** Whether bytes of an unfinished upload are certainly lost. */
  isLost(upload: UploadBytes): Promise<boolean>
  remove(upload: UploadBytes): Promise<void>
  /**
   * Deletes what belongs to no upload and was left by earlier runs. `find`: the unfinished upload
   * with this blob.
   */
  sweep(find: (blobId: string) => UploadBytes | undefined): Promise<void>
}

/** Bytes of an upload that were safe are gone, or are others: it can never be finished. */
export class UploadLostError extends Error {
  override readonly name = 'UploadLostError'
}
