import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, open, readdir, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { CREATE_NEW, syncDir } from '../../core/durable-file'
import { FileDraft, type BlobDraft } from './blob-draft'
import { newBlobId, type CompanionName } from './blob-names'
import { BlobShelf } from './blob-shelf'
import type { BlobStore, DraftOptions } from './blob-store'
import type { StoredBlob } from './stored-blobs'
import type { Digests } from './digests'
import { Companions } from './companions'
import { hashAside, hashHere } from './file-hash'
import { FileWriter } from './file-writer'
import { Orphans } from './orphans'
import { PartialFiles } from './partial-files'

/** Files of this size or larger are hashed in a worker. */
const HASH_ASIDE_BYTES = 16 * 1024 * 1024

export interface DiskBlobsDeps {
  openFile?: (path: string, flags: number, mode: number) => Promise<FileHandle>
  now?: () => Date
  confirm?: () => Promise<void>
}

/**
 * Blobs in folders of this disk: `tmp/` while incoming, `uploads/` for resumable uploads, `blobs/aa/` once published,
 * with their companions, `orphans/` without a record.
 */
export class DiskBlobs implements BlobStore {
  readonly partial: PartialFiles
  readonly companions: Companions
  readonly #tmp: string
  readonly #shelf: BlobShelf
  readonly #orphans: Orphans
  /** Drafts of this run, which a sweep must skip. */
  readonly #drafts = new Set<string>()

  private constructor(
    private readonly dir: string,
    private readonly deps: Required<DiskBlobsDeps>,
  ) {
    this.#tmp = join(dir, 'tmp')
    this.#shelf = BlobShelf.in(dir, deps.confirm)
    this.partial = new PartialFiles(join(dir, 'uploads'), this.#shelf)
    this.companions = new Companions(this.#shelf, () => this.#newDraft())
    this.#orphans = new Orphans(join(dir, 'orphans'), this.#shelf, deps.now)
  }

  static async open(dir: string, deps: DiskBlobsDeps = {}): Promise<DiskBlobs> {
    for (const name of ['tmp', 'uploads', 'blobs', 'orphans']) {
      await mkdir(join(dir, name), { recursive: true, mode: 0o700 })
      await chmod(join(dir, name), 0o700)
    }
    await syncDir(dir)
    return new DiskBlobs(dir, { openFile: open, now: () => new Date(), confirm: () => Promise.resolve(), ...deps })
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

  /** A copy-on-write draft of a local file. Undefined if the disk cannot share blocks: copy the bytes. */
  async clone(source: FileHandle, sourcePath: string): Promise<BlobDraft | undefined> {
    const { path, forget } = this.#newDraft()
    const cloned = await cloneFile(source, sourcePath, path)
    if (!cloned) return forget()
    const { file, size } = cloned
    return new FileDraft(path, new FileWriter(file, { start: size }).end(), hashAside(path), this.#shelf, forget)
  }

  /** For workers, which open the file themselves. */
  pathOf(blobId: string): string {
    return this.#shelf.pathOf(blobId)
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

  companion(blobId: string, name: CompanionName, most?: number): Promise<Buffer | undefined> {
    return this.#shelf.companion(blobId, name, most)
  }

  digests(blobId: string, size: number): Promise<Digests> {
    return hashAside(this.#shelf.pathOf(blobId), { crc32: 0 }).digests(size)
  }

  async remove(blobId: string): Promise<void> {
    await this.#shelf.remove(blobId)
  }

  async free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.dir)
    return bavail * bsize
  }

  async sweep(
    isReferenced: (blobId: string) => boolean,
    began: Date | undefined,
  ): Promise<{ drafts: number; orphans: number }> {
    await this.#orphans.settle(isReferenced, began)
    return { drafts: await this.#sweepDrafts(), orphans: await this.#orphans.gather(isReferenced, began) }
  }

  #newDraft() {
    const path = join(this.#tmp, `${newBlobId()}.part`)
    this.#drafts.add(path)
    return { path, forget: () => void this.#drafts.delete(path) }
  }

  async #sweepDrafts(): Promise<number> {
    const paths = (await readdir(this.#tmp)).map((name) => join(this.#tmp, name))
    const leftovers = paths.filter((path) => path.endsWith('.part') && !this.#drafts.has(path))
    for (const path of leftovers) await rm(path, { force: true })
    return leftovers.length
  }
}

/** Fails instead of copying if the disk cannot share blocks. */
const CLONE = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE

/**
 * Clones an open file copy-on-write (APFS, btrfs, XFS, ReFS), which takes no time and no space. Returns the clone, open
 * for writing; undefined if the disk does not support it or the path leads to another file by now.
 */
async function cloneFile(
  source: FileHandle,
  sourcePath: string,
  target: string,
): Promise<{ file: FileHandle; size: number } | undefined> {
  try {
    // Linux can clone the open file itself; elsewhere its path must still lead to it.
    const from = process.platform === 'linux' ? `/proc/self/fd/${source.fd}` : sourcePath
    const opened = await source.stat({ bigint: true })
    const named = await stat(from, { bigint: true })
    if (opened.ino !== named.ino || opened.dev !== named.dev) return undefined
    await copyFile(from, target, CLONE)
    // A clone keeps the permissions of its source.
    await chmod(target, 0o600)
    const file = await open(target, constants.O_RDWR | constants.O_NOFOLLOW)
    return { file, size: (await file.stat()).size }
  } catch {
    await rm(target, { force: true })
    return undefined
  }
}
