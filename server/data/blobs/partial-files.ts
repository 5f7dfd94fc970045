import { constants } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PublishedBlob } from './blob-draft'
import { isBlobId, newBlobId } from './blob-names'
import type { BlobShelf } from './blob-shelf'
import { CREATE_NEW, syncDir, unlessMissing } from '../../core/durable-file'
import { hashAside, type FileHash } from './file-hash'
import { FileWriter, type WriterOptions } from './file-writer'

/** How long hash state is kept between two requests, in ms; after that the file is hashed from its start. */
const HASH_IDLE_MS = 60_000

interface TurnOptions extends Omit<WriterOptions, 'onWritten' | 'ownsChunks'> {
  onWritten?: (upTo: number) => void
}

interface Hashing {
  hash: FileHash
  upTo: number
  idle: NodeJS.Timeout
}

/**
 * Files of resumable uploads, which outlive this process, each under the id of its later blob. The owner knows how much
 * of a file is valid; the next write overwrites the rest.
 */
export class PartialFiles {
  readonly #hashing = new Map<string, Hashing>()
  /** Created in this run; their records may not be written yet. */
  readonly #fresh = new Set<string>()

  constructor(
    private readonly dir: string,
    private readonly shelf: BlobShelf,
  ) {}

  /** Creates an empty file whose name survives a power cut. Returns its id. */
  async create(): Promise<string> {
    const blobId = newBlobId()
    this.#fresh.add(blobId)
    const file = await open(this.#pathOf(blobId), CREATE_NEW, 0o600)
    await file.close()
    await syncDir(this.dir)
    return blobId
  }

  /** Continues a file. The caller settles and closes the writer. */
  async write(blobId: string, { onWritten, ...options }: TurnOptions): Promise<FileWriter> {
    const file = await open(this.#pathOf(blobId), constants.O_WRONLY | constants.O_NOFOLLOW)
    const written = (upTo: number) => {
      this.#follow(blobId, upTo)
      onWritten?.(upTo)
    }
    return new FileWriter(file, { ...options, ownsChunks: true, onWritten: written })
  }

  /** Marks the file as valid up to `bytes`, and discards hashes beyond that. */
  accept(blobId: string, bytes: number): void {
    const hashing = this.#hashing.get(blobId)
    if (hashing && hashing.upTo > bytes) this.#forgetLater(blobId)
    else this.#follow(blobId, bytes)
  }

  /** The first `size` bytes as a draft. Publishing can be retried after a failure. */
  draft(blobId: string, size: number): { publish(check?: (sha256: string) => void): Promise<PublishedBlob> } {
    return { publish: (check = () => undefined) => this.#publish(blobId, size, check) }
  }

  async readSize(blobId: string): Promise<number> {
    return (await readFileSize(this.#pathOf(blobId))) ?? (await readFileSize(this.shelf.pathOf(blobId))) ?? 0
  }

  async remove(blobId: string): Promise<void> {
    await this.#forget(blobId)
    await rm(this.#pathOf(blobId), { force: true })
    await this.shelf.remove(blobId)
    this.#fresh.delete(blobId)
  }

  /** Deletes unwanted files of earlier runs. Returns how many. */
  async sweep(isWanted: (blobId: string) => boolean): Promise<number> {
    const leftovers = (await readdir(this.dir)).filter(
      (name) => isBlobId(name) && !isWanted(name) && !this.#fresh.has(name),
    )
    for (const name of leftovers) await rm(join(this.dir, name), { force: true })
    return leftovers.length
  }

  async #publish(blobId: string, size: number, check: (sha256: string) => void): Promise<PublishedBlob> {
    const held = this.#pathOf(blobId)
    const isHeld = (await readFileSize(held)) !== undefined
    if (isHeld) await this.#cutOff(held, size)
    const hashing = this.#hashing.get(blobId)
    this.#hashing.delete(blobId)
    clearTimeout(hashing?.idle)
    const { sha256 } = await (hashing?.hash ?? hashAside(isHeld ? held : this.shelf.pathOf(blobId))).digests(size)
    check(sha256)
    if (isHeld) await this.shelf.accept(held, blobId, () => undefined)
    this.#fresh.delete(blobId)
    return { blobId, size, sha256 }
  }

  async #cutOff(path: string, size: number): Promise<void> {
    const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW)
    try {
      await file.truncate(size)
      await file.sync()
    } finally {
      await file.close()
    }
  }

  #follow(blobId: string, upTo: number): void {
    const hashing = this.#hashing.get(blobId)
    const hash = hashing?.hash ?? hashAside(this.#pathOf(blobId))
    clearTimeout(hashing?.idle)
    const idle = setTimeout(() => this.#forgetLater(blobId), HASH_IDLE_MS).unref()
    this.#hashing.set(blobId, { hash, upTo, idle })
    hash.written(upTo, [])
  }

  /** Ignores failures: a worker that does not stop only costs memory. */
  #forgetLater(blobId: string): void {
    this.#forget(blobId).catch(() => undefined)
  }

  async #forget(blobId: string): Promise<void> {
    const hashing = this.#hashing.get(blobId)
    this.#hashing.delete(blobId)
    clearTimeout(hashing?.idle)
    await hashing?.hash.stop()
  }

  /** Validates the id, so that no caller can reach another path. */
  #pathOf(blobId: string): string {
    if (!isBlobId(blobId)) throw new Error('Not a blob ID')
    return join(this.dir, blobId)
  }
}

async function readFileSize(path: string): Promise<number | undefined> {
  return (await unlessMissing(stat(path)))?.size
}
