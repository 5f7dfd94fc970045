import { constants } from 'node:fs'
import { chmod, mkdir, open, readdir, rm, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { FileDraft, type BlobDraft } from './blob-draft'
import { BlobShelf, newBlobId } from './blob-shelf'
import type { Digests } from './digests'
import { cloneFile } from './clone-file'
import { CREATE_NEW, syncDir } from '../durable-file'
import { hashAside, hashHere } from './file-hash'
import { FileWriter } from './file-writer'
import { Orphans } from './orphans'
import { PartialFiles } from './partial-files'

export type { BlobDraft, PublishedBlob } from './blob-draft'

/** From this size on a worker is worth its start. */
const HASH_ASIDE_BYTES = 16 * 1024 * 1024

export interface BlobsDeps {
  openFile?: (path: string, flags: number, mode: number) => Promise<FileHandle>
  now?: () => Date
  /** Throws where the disk has gone. */
  confirm?: () => Promise<void>
}

export interface DraftOptions {
  /** Hears how many bytes there will be, and may hold them back before they are written. A failure ends the stream. */
  onBytes?: (total: number) => Promise<void> | undefined
  /** Hears how far the file is written without a gap. */
  onWritten?: (upTo: number) => void
  /** The bytes that there will be at least; a big file is hashed in a worker. */
  leastBytes?: number
  /** The memory of the chunks is released after their write. */
  ownsChunks?: boolean
}

/**
 * The bytes of files, under random names: `tmp/` on their way in, `uploads/` when they may come in several turns,
 * `blobs/aa/` once published, `orphans/` when no record names them. Which blob is whose, only the library knows.
 */
export class Blobs {
  /** Bytes of uploads that may go on later. */
  readonly partial: PartialFiles
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
    this.#shelf = new BlobShelf(join(dir, 'blobs'), deps.confirm)
    this.partial = new PartialFiles(join(dir, 'uploads'), this.#shelf)
    this.#orphans = new Orphans(join(dir, 'orphans'), this.#shelf, deps.now)
  }

  static async open(dir: string, deps: BlobsDeps = {}): Promise<Blobs> {
    for (const name of ['tmp', 'uploads', 'blobs', 'orphans']) {
      await mkdir(join(dir, name), { recursive: true, mode: 0o700 })
      await chmod(join(dir, name), 0o700)
    }
    await syncDir(dir)
    return new Blobs(dir, { openFile: open, now: () => new Date(), confirm: () => Promise.resolve(), ...deps })
  }

  async begin(options: DraftOptions = {}): Promise<BlobDraft> {
    const { onBytes, onWritten, leastBytes = 0, ownsChunks = false } = options
    const { path, forget } = this.#newDraft()
    try {
      const file = await this.deps.openFile(path, CREATE_NEW, 0o600)
      const hash = leastBytes >= HASH_ASIDE_BYTES ? hashAside(path) : hashHere()
      const written = (upTo: number, chunks: readonly Buffer[]) => {
        hash.written(upTo, chunks)
        onWritten?.(upTo)
      }
      return new FileDraft(
        path,
        new FileWriter(file, { ownsChunks, onBytes, onWritten: written }),
        hash,
        this.#shelf,
        forget,
      )
    } catch (error) {
      forget()
      throw error
    }
  }

  /**
   * A draft that has all the bytes of a file of this machine at once, and its stream ended: it shares the file's blocks
   * until one of the two changes. Undefined where the disk cannot do that: then the bytes have to be copied.
   */
  async clone(source: FileHandle, sourcePath: string): Promise<BlobDraft | undefined> {
    const { path, forget } = this.#newDraft()
    const cloned = await cloneFile(source, sourcePath, path)
    if (!cloned) return forget()
    const { file, size } = cloned
    return new FileDraft(path, new FileWriter(file, { start: size }).end(), hashAside(path), this.#shelf, forget)
  }

  /** For those in a worker, who open it themselves. */
  pathOf(blobId: string): string {
    return this.#shelf.pathOf(blobId)
  }

  /** For sending. Whoever opens it closes it. */
  async open(blobId: string): Promise<FileHandle> {
    return open(this.#shelf.pathOf(blobId), constants.O_RDONLY | constants.O_NOFOLLOW)
  }

  /** What is computed from the first `size` bytes of a blob, in a worker. */
  async digests(blobId: string, size: number): Promise<Digests> {
    return hashAside(this.#shelf.pathOf(blobId)).digests(size)
  }

  /** Does nothing where there is no such blob. */
  async remove(blobId: string): Promise<void> {
    await rm(this.#shelf.pathOf(blobId), { force: true })
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

  #newDraft() {
    const path = join(this.#tmp, `${newBlobId()}.part`)
    this.#drafts.add(path)
    return { path, forget: () => void this.#drafts.delete(path) }
  }

  async #sweepDrafts(): Promise<number> {
    const paths = (await readdir(this.#tmp)).map((name) => join(this.#tmp, name))
    const left = paths.filter((path) => path.endsWith('.part') && !this.#drafts.has(path))
    for (const path of left) await rm(path, { force: true })
    return left.length
  }
}
