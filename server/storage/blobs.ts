import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, mkdir, open, readdir, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { FileDraft, type BlobDraft, type Shelf } from './blob-draft'
import { CREATE_NEW, errorCode, renamePatiently, syncDir } from './durable-file'
import { HashingFile } from './hashing-file'

export type { BlobDraft, PublishedBlob } from './blob-draft'

const BLOB_ID = /^[0-9a-f]{32}$/
const SHARD = /^[0-9a-f]{2}$/
const DAY_MS = 24 * 60 * 60 * 1000
/** How long an orphan waits before it is deleted, in case the library was lost and is restored from a backup. */
const ORPHAN_DAYS = 7

export interface BlobsDeps {
  openFile?: (path: string, flags: number, mode: number) => Promise<FileHandle>
  now?: () => Date
}

export interface DraftOptions {
  /** Hears how many bytes there will be, before they are written. A throw ends the stream with that error. */
  onBytes?: (total: number) => void
}

/**
 * The bytes of files, under random names: `tmp/` on their way in, `blobs/aa/` once published, `orphans/` when no record
 * names them. Which blob is whose, only the library knows.
 */
export class Blobs implements Shelf {
  /** Drafts and blobs of this run: no sweep touches them. A blob is published before its record is. */
  readonly #drafts = new Set<string>()
  readonly #fresh = new Set<string>()
  readonly #shards = new Map<string, Promise<string>>()

  private constructor(
    private readonly dir: string,
    private readonly deps: Required<BlobsDeps>,
  ) {}

  static async open(dir: string, deps: BlobsDeps = {}): Promise<Blobs> {
    for (const name of ['tmp', 'blobs', 'orphans']) {
      await mkdir(join(dir, name), { recursive: true, mode: 0o700 })
      await chmod(join(dir, name), 0o700)
    }
    await syncDir(dir)
    return new Blobs(dir, { openFile: open, now: () => new Date(), ...deps })
  }

  async begin({ onBytes = () => undefined }: DraftOptions = {}): Promise<BlobDraft> {
    const path = join(this.dir, 'tmp', `${this.newId()}.part`)
    this.#drafts.add(path)
    try {
      const file = await this.deps.openFile(path, CREATE_NEW, 0o600)
      return new FileDraft(path, new HashingFile(file, onBytes), this)
    } catch (error) {
      this.#drafts.delete(path)
      throw error
    }
  }

  open(blobId: string): Promise<FileHandle> {
    return open(this.#pathOf(blobId), constants.O_RDONLY | constants.O_NOFOLLOW)
  }

  /** Does nothing where there is no such blob. */
  async remove(blobId: string): Promise<void> {
    await rm(this.#pathOf(blobId), { force: true })
    this.#fresh.delete(blobId)
  }

  /** Bytes that this volume still takes. */
  async free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.dir)
    return bavail * bsize
  }

  /**
   * Clears up after earlier runs. Drafts are deleted; blobs that no record names are set aside, come back
   * should a record name them again, and are deleted after a week.
   */
  async sweep(isReferenced: (blobId: string) => boolean): Promise<{ drafts: number; orphans: number }> {
    await this.#sweepWaiting(isReferenced)
    return { drafts: await this.#sweepDrafts(), orphans: await this.#sweepOrphans(isReferenced) }
  }

  newId(): string {
    return randomBytes(16).toString('hex')
  }

  async accept(path: string, blobId: string, moved: (path: string) => void): Promise<void> {
    const target = this.#pathOf(blobId)
    const shard = await this.#shard(blobId)
    this.#fresh.add(blobId)
    await renamePatiently(path, target)
    moved(target)
    await Promise.all([syncDir(shard), syncDir(join(this.dir, 'tmp'))])
  }

  forget(path: string): void {
    this.#drafts.delete(path)
  }

  /** The folder of a blob, durable once in every run: that it exists does not say that it would survive a power cut. */
  #shard(blobId: string): Promise<string> {
    const name = blobId.slice(0, 2)
    const known = this.#shards.get(name)
    if (known !== undefined) return known
    const made = this.#makeShard(join(this.dir, 'blobs', name))
    this.#shards.set(name, made)
    made.catch(() => this.#shards.delete(name))
    return made
  }

  async #makeShard(shard: string): Promise<string> {
    await mkdir(shard, { recursive: true, mode: 0o700 })
    await syncDir(join(this.dir, 'blobs'))
    return shard
  }

  /** Ids are checked here, so that whatever a caller passes cannot become another path. */
  #pathOf(blobId: string): string {
    if (!BLOB_ID.test(blobId)) throw new Error('Not the id of a blob')
    return join(this.dir, 'blobs', blobId.slice(0, 2), blobId)
  }

  async #sweepDrafts(): Promise<number> {
    const paths = (await readdir(join(this.dir, 'tmp'))).map((name) => join(this.dir, 'tmp', name))
    const left = paths.filter((path) => path.endsWith('.part') && !this.#drafts.has(path))
    for (const path of left) await rm(path, { force: true })
    return left.length
  }

  async #sweepOrphans(isReferenced: (blobId: string) => boolean): Promise<number> {
    let orphans = 0
    for (const shard of (await readdir(join(this.dir, 'blobs'))).filter((name) => SHARD.test(name))) {
      for (const blobId of await readdir(join(this.dir, 'blobs', shard))) {
        if (!BLOB_ID.test(blobId) || this.#fresh.has(blobId) || isReferenced(blobId)) continue
        if (await this.#setAside(blobId)) orphans++
      }
    }
    return orphans
  }

  /** False for a blob that was removed in the meantime. */
  async #setAside(blobId: string): Promise<boolean> {
    try {
      await rename(this.#pathOf(blobId), join(this.dir, 'orphans', blobId))
      return true
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false
      throw error
    }
  }

  async #sweepWaiting(isReferenced: (blobId: string) => boolean): Promise<void> {
    for (const blobId of await readdir(join(this.dir, 'orphans'))) {
      if (!BLOB_ID.test(blobId)) continue
      const path = join(this.dir, 'orphans', blobId)
      if (isReferenced(blobId)) {
        await this.accept(path, blobId, () => undefined)
      } else {
        const { ctimeMs } = await stat(path)
        if (this.deps.now().getTime() - ctimeMs > ORPHAN_DAYS * DAY_MS) await rm(path, { force: true })
      }
    }
  }
}
