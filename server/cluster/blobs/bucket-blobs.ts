import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { restrictMode } from '../../core/durable-file'
import { BackedBlobs } from '../../data/blobs/backed-blobs'
import type { BlobStore } from '../../data/blobs/blob-store'
import { BucketError } from '../../data/bucket/bucket-error'
import { Drafts, type OpenFile } from '../../data/blobs/drafts'
import { BucketOrphans } from './bucket-orphans'
import { BucketBackend } from './bucket-backend'
import type { BlobBucket } from '../blob-bucket'
import { BucketPartials } from '../appends/bucket-partials'

export interface BucketBlobsDeps {
  /** The data folder of this host, for files that come and go. */
  dir: string
  blobBucket: BlobBucket
  now: () => Date
  /** Throws if this host must not write. */
  confirm: () => Promise<void>
  openFile?: OpenFile
  /** Nothing calls `sweep` at a reader. */
  isReplica?: boolean
}

/**
 * Blobs in a bucket, which all hosts of a cluster read. Incoming ones pass through `tmp/` of this
 * host.
 */
export class BucketBlobs extends BackedBlobs<BucketBackend> implements BlobStore {
  readonly partial: BucketPartials
  readonly #orphans: BucketOrphans

  private constructor(
    dir: string,
    backend: BucketBackend,
    { blobBucket, now, confirm, openFile = open }: BucketBlobsDeps,
  ) {
    // Uploads pass through the disk of this host.
    super(backend, new Drafts(dir, backend, openFile, backend.follow))
    this.partial = new BucketPartials({ blobBucket, dir, now })
    this.#orphans = new BucketOrphans({ blobBucket, backend, now, confirm })
  }

  static async open(deps: BucketBlobsDeps): Promise<BucketBlobs> {
    const tmp = join(deps.dir, 'tmp')
    // The catalogue is in `blobs/`.
    for (const dir of [tmp, join(deps.dir, 'blobs')]) {
      await mkdir(dir, { recursive: true, mode: 0o700 })
      await restrictMode(dir, 0o700)
    }
    const backend = await BucketBackend.open(deps.blobBucket, tmp, deps.confirm)
    const blobs = new BucketBlobs(tmp, backend, deps)
    if (deps.isReplica) await blobs.drafts.sweep()
    return blobs
  }

  /** No file of this host shares blocks with a bucket. */
  clone(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  list(): ReturnType<BucketBackend['list']> {
    return this.backend.list()
  }

  /** While the store is down, nothing is deleted: the sweep finds blobs without a record. */
  override async remove(blobId: string): Promise<void> {
    await super.remove(blobId).catch((cause: unknown) => {
      if (!(cause instanceof BucketError)) throw cause
    })
  }

  async sweep(
    isReferenced: (blobId: string) => boolean,
    began: Date | undefined,
  ): Promise<{ drafts: number; orphans: number }> {
    const drafts = await this.drafts.sweep()
    return { drafts, orphans: await this.#orphans.sweep(isReferenced, began) }
  }

  /** Nothing to end: it deletes only while this host is the writer. */
  endSweep(): Promise<void> {
    return Promise.resolve()
  }
}
