import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { ByteSource } from '../../core/byte-source'
import { CREATE_NEW, syncDir, restrictMode, writeAll } from '../../core/durable-file'
import { hashSource } from '../copy-files'
import { BackedBlobs } from './backed-blobs'
import { DiskBackend, type Held } from './disk-backend'
import type { BlobStore } from './blob-store'
import { Drafts, type OpenFile } from './drafts'
import { Orphans } from './orphans'
import { PartialFiles } from './partial-files'

export interface DiskBlobsDeps {
  openFile?: OpenFile
  now?: () => Date
  held?: Held
}

/**
 * Blobs in folders of this disk: `tmp/` while incoming, `uploads/` for resumable uploads,
 * `blobs/aa/` once published, with their sidecars, `orphans/` without a record.
 */
export class DiskBlobs extends BackedBlobs<DiskBackend> implements BlobStore {
  readonly partial: PartialFiles
  readonly clone: Drafts['clone']
  readonly #orphans: Orphans
  readonly #ending = new AbortController()
  #sweeping: Promise<unknown> = Promise.resolve()

  private constructor(
    dir: string,
    { openFile = open, now = () => new Date(), held }: DiskBlobsDeps,
  ) {
    const backend = DiskBackend.in(dir, held)
    const drafts = new Drafts(join(dir, 'tmp'), backend, openFile)
    super(backend, drafts)
    this.clone = drafts.clone
    this.partial = new PartialFiles(join(dir, 'uploads'), backend)
    this.#orphans = new Orphans(join(dir, 'orphans'), backend, now)
  }

  static async open(dir: string, deps: DiskBlobsDeps = {}): Promise<DiskBlobs> {
    for (const name of ['tmp', 'uploads', 'blobs', 'orphans']) {
      const made = await mkdir(join(dir, name), { recursive: true, mode: 0o700 })
      if (made !== undefined) await syncDir(dir)
      await restrictMode(join(dir, name), 0o700)
    }

    return new DiskBlobs(dir, deps)
  }

  override open(blobId: string): Promise<FileHandle> {
    return this.backend.open(blobId)
  }

  async replace(blobId: string, source: ByteSource, sha256: string): Promise<boolean> {
    const { path, forget } = this.drafts.newPath()
    try {
      if ((await writeHashed(source, path)) !== sha256) return false
      await this.backend.accept(path, blobId, () => undefined)
      return true
    } finally {
      await rm(path, { force: true }).catch(() => undefined)
      forget()
    }
  }

  sweep(
    isReferenced: (blobId: string) => boolean,
    began: Date | undefined,
  ): Promise<{ drafts: number; orphans: number }> {
    const swept = this.#sweep(isReferenced, began)
    this.#sweeping = swept.catch(() => undefined)
    return swept
  }

  async endSweep(): Promise<void> {
    this.#ending.abort()
    await this.#sweeping
  }

  async #sweep(
    isReferenced: (blobId: string) => boolean,
    began: Date | undefined,
  ): Promise<{ drafts: number; orphans: number }> {
    const { signal } = this.#ending
    if (signal.aborted) return { drafts: 0, orphans: 0 }

    await this.#orphans.settle(isReferenced, began, signal)
    return {
      drafts: await this.drafts.sweep(),
      orphans: await this.#orphans.gather(isReferenced, began, signal),
    }
  }
}

/** Writes a source to a new file, and closes it. Returns its SHA-256 once it is on the disk. */
async function writeHashed(source: ByteSource, path: string): Promise<string> {
  const file = await open(path, CREATE_NEW, 0o600).catch(async (error: unknown) => {
    await source.close()
    throw error
  })

  try {
    const sha256 = await hashSource(source, (bytes) => writeAll(file, bytes))
    await file.sync()
    return sha256
  } finally {
    await file.close()
  }
}
