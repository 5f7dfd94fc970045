import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { restrictMode } from '../../../core/durable-file'
import type { SidecarName } from '../../blobs/blob-names'
import type { BlobStore } from '../../blobs/blob-store'
import { BucketError } from '../bucket-error'
import { Sidecars } from '../../blobs/sidecars'
import type { Digests } from '../../blobs/digests'
import { Drafts, type OpenFile } from '../../blobs/drafts'
import { hashAside } from '../../blobs/file-hash'
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
  isReader?: boolean
}

/**
 * Blobs in a bucket, which all hosts of a cluster read. Incoming ones pass through `tmp/` of this
 * host.
 */
export class BucketBlobs implements BlobStore {
  readonly partial: BucketPartials
  readonly sidecars: Sidecars
  readonly begin: Drafts['begin']
  /** Of this host: what is uploaded passes through it. */
  readonly free: Drafts['free']
  readonly #drafts: Drafts
  readonly #orphans: BucketOrphans

  private constructor(
    dir: string,
    private readonly backend: BucketBackend,
    { blobBucket, now, confirm, openFile = open }: BucketBlobsDeps,
  ) {
    this.#drafts = new Drafts(dir, backend, openFile, backend.follow)
    this.begin = this.#drafts.begin
    this.free = this.#drafts.free
    this.partial = new BucketPartials({ blobBucket, dir, now })
    this.sidecars = new Sidecars(backend, this.#drafts)
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
    if (deps.isReader) await blobs.#drafts.sweep()
    return blobs
  }

  /** No file of this host shares blocks with a bucket. */
  clone(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  withFile<T>(blobId: string, work: (path: string) => Promise<T>): Promise<T> {
    return this.backend.withFile(blobId, work)
  }

  copyTo(...args: Parameters<BucketBackend['copyTo']>): ReturnType<BucketBackend['copyTo']> {
    return this.backend.copyTo(...args)
  }

  ids(): AsyncIterable<string> {
    return this.backend.ids()
  }

  list(): ReturnType<BucketBackend['list']> {
    return this.backend.list()
  }

  find(blobId: string): ReturnType<BucketBackend['find']> {
    return this.backend.find(blobId)
  }

  open(blobId: string): ReturnType<BucketBackend['open']> {
    return this.backend.open(blobId)
  }

  sidecar(blobId: string, name: SidecarName, most?: number): Promise<Buffer | undefined> {
    return this.backend.sidecar(blobId, name, most)
  }

  digests(blobId: string, size: number): Promise<Digests> {
    return this.backend.withFile(blobId, (path) => hashAside(path, { crc32: 0 }).digests(size))
  }

  /** What a store keeps that is away, the sweep finds: no record names it any more. */
  async remove(blobId: string): Promise<void> {
    await this.backend.remove(blobId).catch((cause: unknown) => {
      if (!(cause instanceof BucketError)) throw cause
    })
  }

  async sweep(
    isReferenced: (blobId: string) => boolean,
    began: Date | undefined,
  ): Promise<{ drafts: number; orphans: number }> {
    const drafts = await this.#drafts.sweep()
    return { drafts, orphans: await this.#orphans.sweep(isReferenced, began) }
  }
}
