import { isBlobId } from '../../blobs/blob-names'
import type { ByteSource } from '../../../core/byte-source'
import { attachment } from '../../../core/net/attachment'
import { Addresses, type Presentation } from './addresses'
import type { BucketPlace, BucketKeys } from '../bucket-choice'
import { copy, type CopyDeps, type CopyState, type Source } from './copy'
import type { ObjectHead, S3Calls } from '../s3-calls'
import type { S3Objects } from '../s3-objects'
import type { S3Session } from '../s3-session'

/** A copy in a listing. */
export interface ListedObject {
  blobId: string
  size: number
  /** With its quotes. */
  etag: string
  at: Date
}

/**
 * Copies of blobs in an S3-compatible store, named by their ids. Each call throws BucketError, and
 * none retries.
 */
export class Bucket {
  readonly #calls: S3Calls
  readonly #objects: S3Objects
  readonly #addresses: Addresses

  private constructor(
    calls: S3Calls,
    objects: S3Objects,
    private readonly session: S3Session,
  ) {
    this.#calls = calls
    this.#objects = objects
    this.#addresses = new Addresses((blobId, { filename, type, seconds }) =>
      calls.sign(blobId, { disposition: attachment(filename), type, seconds }),
    )
  }

  /** Sends nothing yet. */
  static async open(choice: BucketPlace, keys: BucketKeys): Promise<Bucket> {
    // Load on demand: most hosts have no bucket.
    const [{ S3Calls }, { S3Objects }, { S3Session }] = await Promise.all([
      import('../s3-calls'),
      import('../s3-objects'),
      import('../s3-session'),
    ])
    const session = new S3Session(choice, keys)
    return new Bucket(new S3Calls(session), new S3Objects(session), session)
  }

  /** See `copy`. */
  copy(source: Source, state: CopyState, deps: CopyDeps): Promise<{ etag: string }> {
    return copy(this.#calls, source, state, deps)
  }

  /** Undefined: there is no copy. */
  head(blobId: string, signal?: AbortSignal): Promise<ObjectHead | undefined> {
    return this.#calls.head(blobId, signal)
  }

  /**
   * Reads the whole copy, and returns its SHA-256; another one if it has more than `size` bytes.
   */
  hash(blobId: string, size: number, signal: AbortSignal): Promise<string> {
    return this.#calls.hash(blobId, size, signal)
  }

  /** Opens a copy of `size` bytes; each read is a request. */
  read(blobId: string, size: number): ByteSource {
    return {
      read: async (into, offset, length, position) => {
        const end = Math.min(position + length, size) - 1
        if (end < position) return { bytesRead: 0 }
        const bytes = await this.#objects.read(blobId, { start: position, end })
        return { bytesRead: bytes?.copy(into, offset) ?? 0 }
      },
      close: () => Promise.resolve(),
    }
  }

  /**
   * Deletes the copy, and with it every address that was given out. Does nothing if there is none.
   */
  async remove(blobId: string): Promise<void> {
    this.forget(blobId)
    await this.#calls.remove(blobId)
  }

  /** Deletes the parts of an unfinished upload. Does nothing if the store does not know it. */
  abandon(blobId: string, uploadId: string): Promise<void> {
    return this.#calls.abort(blobId, uploadId)
  }

  /** All copies. Other objects under the prefix are not ours, and left out. */
  async *list(): AsyncGenerator<ListedObject> {
    for await (const { key, ...about } of this.#calls.list())
      if (isBlobId(key)) yield { blobId: key, ...about }
  }

  /** Uploads of copies that were neither completed nor abandoned. */
  async *unfinished(): AsyncGenerator<{ blobId: string; uploadId: string; at: Date }> {
    for await (const { key, uploadId, at } of this.#calls.uploads())
      if (isBlobId(key)) yield { blobId: key, uploadId, at }
  }

  /**
   * Where a browser may fetch the copy for a while: for at least half of `seconds`. Sends nothing.
   */
  presignUrl(blobId: string, as: Presentation): Promise<string> {
    return this.#addresses.of(blobId, as)
  }

  /** Drops the cached address of a copy. */
  forget(blobId: string): void {
    this.#addresses.forget(blobId)
  }

  /** Ends running calls. */
  close(): void {
    this.session.close()
  }
}
