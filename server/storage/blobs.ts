import { constants } from 'node:fs'
import { chmod, mkdir, open, readdir, rm, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { FileDraft, type BlobDraft } from './blob-draft'
import { BlobShelf, newBlobId } from './blob-shelf'
import { BlobSidecars } from './blob-sidecars'
import { CREATE_NEW, syncDir } from './durable-file'
import { hashAside, hashHere } from './file-hash'
import { HashingFile } from './hashing-file'
import { Orphans } from './orphans'

export type { BlobDraft, PublishedBlob } from './blob-draft'

/** From this size on a worker is worth its start. */
const HASH_ASIDE_BYTES = 16 * 1024 * 1024

export interface BlobsDeps {
  openFile?: (path: string, flags: number, mode: number) => Promise<FileHandle>
  now?: () => Date
}

export interface DraftOptions {
  /** Hears how many bytes there will be, before they are written. A throw ends the stream with that error. */
  onBytes?: (total: number) => void
  /** The bytes that there will be at least; a big file is hashed in a worker. */
  leastBytes?: number
  /** Whether the chunks are given away: their memory is then released as soon as they are written. */
  ownsChunks?: boolean
}

/**
 * The bytes of files, under random names: `tmp/` on their way in, `blobs/aa/` once published, `orphans/` when no record
 * names them. Which blob is whose, only the library knows.
 */
export class Blobs {
  readonly sidecars: BlobSidecars
  readonly #tmp: string
  readonly #shelf: BlobShelf
  readonly #orphans: Orphans
  /** Drafts of this run, which no sweep touches. */
  readonly #drafts = new Set<string>()

  private constructor(
    private readonly dir: string,
    private readonly deps: Required<BlobsDeps>,
  ) {
    this.#tmp = join(dir, 'tmp')
    this.#shelf = new BlobShelf(join(dir, 'blobs'))
    this.sidecars = new BlobSidecars(this.#shelf, this.#tmp, this.#drafts)
    this.#orphans = new Orphans(join(dir, 'orphans'), this.#shelf, deps.now)
  }

  static async open(dir: string, deps: BlobsDeps = {}): Promise<Blobs> {
    for (const name of ['tmp', 'blobs', 'orphans']) {
      await mkdir(join(dir, name), { recursive: true, mode: 0o700 })
      await chmod(join(dir, name), 0o700)
    }
    await syncDir(dir)
    return new Blobs(dir, { openFile: open, now: () => new Date(), ...deps })
  }

  async begin(options: DraftOptions = {}): Promise<BlobDraft> {
    const { onBytes = () => undefined, leastBytes = 0, ownsChunks = false } = options
    const path = join(this.#tmp, `${newBlobId()}.part`)
    const forget = () => void this.#drafts.delete(path)
    this.#drafts.add(path)
    try {
      const file = await this.deps.openFile(path, CREATE_NEW, 0o600)
      const hash = leastBytes >= HASH_ASIDE_BYTES ? hashAside(path) : hashHere()
      return new FileDraft(path, new HashingFile(file, { hash, onBytes, ownsChunks }), this.#shelf, forget)
    } catch (error) {
      forget()
      throw error
    }
  }

  /** For sending. Whoever opens it closes it. */
  async open(blobId: string): Promise<FileHandle> {
    return open(this.#shelf.pathOf(blobId), constants.O_RDONLY | constants.O_NOFOLLOW)
  }

  /** Does nothing where there is no such blob. */
  async remove(blobId: string): Promise<void> {
    await rm(this.#shelf.pathOf(blobId), { force: true })
    await this.sidecars.remove(blobId)
    this.#shelf.forget(blobId)
  }

  /** Bytes that this volume still takes. */
  async free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.dir)
    return bavail * bsize
  }

  /**
   * Clears up after earlier runs. Drafts are deleted; blobs that no record names are set aside, come back should a
   * record name them again, and are deleted after a week.
   */
  async sweep(isReferenced: (blobId: string) => boolean): Promise<{ drafts: number; orphans: number }> {
    await this.#orphans.settle(isReferenced)
    return { drafts: await this.#sweepDrafts(), orphans: await this.#orphans.gather(isReferenced) }
  }

  async #sweepDrafts(): Promise<number> {
    const paths = (await readdir(this.#tmp)).map((name) => join(this.#tmp, name))
    const left = paths.filter((path) => path.endsWith('.part') && !this.#drafts.has(path))
    for (const path of left) await rm(path, { force: true })
    return left.length
  }
}
