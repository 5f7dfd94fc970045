import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDir, restrictMode } from '../../core/durable-file'
import type { SidecarName } from './blob-names'
import { BlobShelf } from './blob-shelf'
import type { BlobStore } from './blob-store'
import { Sidecars } from './sidecars'
import type { Digests } from './digests'
import { Drafts, type OpenFile } from './drafts'
import { hashAside } from './file-hash'
import { Orphans } from './orphans'
import { PartialFiles } from './partial-files'
import type { StoredBlob } from './stored-blobs'

export interface DiskBlobsDeps {
  openFile?: OpenFile
  now?: () => Date
  confirm?: () => Promise<void>
}

/**
 * Blobs in folders of this disk: `tmp/` while incoming, `uploads/` for resumable uploads,
 * `blobs/aa/` once published, with their sidecars, `orphans/` without a record.
 */
export class DiskBlobs implements BlobStore {
  readonly partial: PartialFiles
  readonly sidecars: Sidecars
  readonly begin: Drafts['begin']
  readonly clone: Drafts['clone']
  readonly withFile: BlobShelf['withFile']
  readonly free: Drafts['free']
  readonly #shelf: BlobShelf
  readonly #drafts: Drafts
  readonly #orphans: Orphans

  private constructor(dir: string, { openFile, now, confirm }: Required<DiskBlobsDeps>) {
    this.#shelf = BlobShelf.in(dir, confirm)
    this.#drafts = new Drafts(join(dir, 'tmp'), this.#shelf, openFile)
    this.begin = this.#drafts.begin
    this.clone = this.#drafts.clone
    this.withFile = this.#shelf.withFile
    this.free = this.#drafts.free
    this.partial = new PartialFiles(join(dir, 'uploads'), this.#shelf)
    this.sidecars = new Sidecars(this.#shelf, this.#drafts)
    this.#orphans = new Orphans(join(dir, 'orphans'), this.#shelf, now)
  }

  static async open(dir: string, deps: DiskBlobsDeps = {}): Promise<DiskBlobs> {
    for (const name of ['tmp', 'uploads', 'blobs', 'orphans']) {
      const made = await mkdir(join(dir, name), { recursive: true, mode: 0o700 })
      if (made !== undefined) await syncDir(dir)
      await restrictMode(join(dir, name), 0o700)
    }

    return new DiskBlobs(dir, {
      openFile: open,
      now: () => new Date(),
      confirm: () => Promise.resolve(),
      ...deps,
    })
  }

  copyTo(...args: Parameters<BlobShelf['copyTo']>): ReturnType<BlobShelf['copyTo']> {
    return this.#shelf.copyTo(...args)
  }

  ids(): AsyncIterable<string> {
    return this.#shelf.ids()
  }

  find(blobId: string): Promise<StoredBlob | undefined> {
    return this.#shelf.find(blobId)
  }

  open(blobId: string): Promise<FileHandle> {
    return this.#shelf.open(blobId)
  }

  sidecar(blobId: string, name: SidecarName, most?: number): Promise<Buffer | undefined> {
    return this.#shelf.sidecar(blobId, name, most)
  }

  digests(blobId: string, size: number): Promise<Digests> {
    return this.#shelf.withFile(blobId, (path) => hashAside(path, { crc32: 0 }).digests(size))
  }

  async remove(blobId: string): Promise<void> {
    await this.#shelf.remove(blobId)
  }

  async sweep(
    isReferenced: (blobId: string) => boolean,
    began: Date | undefined,
  ): Promise<{ drafts: number; orphans: number }> {
    await this.#orphans.settle(isReferenced, began)
    return {
      drafts: await this.#drafts.sweep(),
      orphans: await this.#orphans.gather(isReferenced, began),
    }
  }
}
