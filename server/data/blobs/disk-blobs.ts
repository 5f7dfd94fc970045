import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDir, restrictMode } from '../../core/durable-file'
import type { SidecarName } from './blob-names'
import { DiskBackend } from './disk-backend'
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
  readonly withFile: DiskBackend['withFile']
  readonly free: Drafts['free']
  readonly #backend: DiskBackend
  readonly #drafts: Drafts
  readonly #orphans: Orphans

  private constructor(dir: string, { openFile, now, confirm }: Required<DiskBlobsDeps>) {
    this.#backend = DiskBackend.in(dir, confirm)
    this.#drafts = new Drafts(join(dir, 'tmp'), this.#backend, openFile)
    this.begin = this.#drafts.begin
    this.clone = this.#drafts.clone
    this.withFile = this.#backend.withFile
    this.free = this.#drafts.free
    this.partial = new PartialFiles(join(dir, 'uploads'), this.#backend)
    this.sidecars = new Sidecars(this.#backend, this.#drafts)
    this.#orphans = new Orphans(join(dir, 'orphans'), this.#backend, now)
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

  copyTo(...args: Parameters<DiskBackend['copyTo']>): ReturnType<DiskBackend['copyTo']> {
    return this.#backend.copyTo(...args)
  }

  ids(): AsyncIterable<string> {
    return this.#backend.ids()
  }

  find(blobId: string): Promise<StoredBlob | undefined> {
    return this.#backend.find(blobId)
  }

  open(blobId: string): Promise<FileHandle> {
    return this.#backend.open(blobId)
  }

  sidecar(blobId: string, name: SidecarName, most?: number): Promise<Buffer | undefined> {
    return this.#backend.sidecar(blobId, name, most)
  }

  digests(blobId: string, size: number): Promise<Digests> {
    return this.#backend.withFile(blobId, (path) => hashAside(path, { crc32: 0 }).digests(size))
  }

  async remove(blobId: string): Promise<void> {
    await this.#backend.remove(blobId)
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
