import type { SidecarName } from './blob-names'
import type { Digests } from './digests'
import type { Drafts } from './drafts'
import { hashAside } from './file-hash'
import { Sidecars } from './sidecars'
import type { BlobBackend } from './stored-blobs'

/** What a store of blobs does alike on a disk and in a bucket. */
export abstract class BackedBlobs<Backend extends BlobBackend> {
  readonly sidecars: Sidecars
  readonly begin: Drafts['begin']
  readonly free: Drafts['free']

  protected constructor(
    protected readonly backend: Backend,
    protected readonly drafts: Drafts,
  ) {
    this.begin = drafts.begin
    this.free = drafts.free
    this.sidecars = new Sidecars(backend, drafts)
  }

  withFile<T>(blobId: string, work: (path: string) => Promise<T>): Promise<T> {
    return this.backend.withFile(blobId, work)
  }

  copyTo(...args: Parameters<BlobBackend['copyTo']>): ReturnType<BlobBackend['copyTo']> {
    return this.backend.copyTo(...args)
  }

  ids(): AsyncIterable<string> {
    return this.backend.ids()
  }

  find(blobId: string): ReturnType<BlobBackend['find']> {
    return this.backend.find(blobId)
  }

  open(blobId: string): ReturnType<BlobBackend['open']> {
    return this.backend.open(blobId)
  }

  sidecar(blobId: string, name: SidecarName, most?: number): Promise<Buffer | undefined> {
    return this.backend.sidecar(blobId, name, most)
  }

  digests(blobId: string, size: number): Promise<Digests> {
    return this.backend.withFile(blobId, (path) =>
      hashAside(path, { withCrc32: true }).digests(size),
    )
  }

  async remove(blobId: string): Promise<void> {
    await this.backend.remove(blobId)
  }
}
