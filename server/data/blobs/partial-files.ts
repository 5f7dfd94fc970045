import { constants } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PublishedBlob } from './blob-draft'
import { isBlobId, newBlobId, type BlobShelf } from './blob-shelf'
import { CREATE_NEW, errorCode, syncDir } from '../durable-file'
import { hashAside, type FileHash } from './file-hash'
import { FileWriter, type WriterOptions } from './file-writer'

/** How long the digests of a file are kept in mind between two turns, in ms; later they are computed from its start. */
const HASH_IDLE_MS = 60_000

interface TurnOptions extends Omit<WriterOptions, 'onWritten' | 'ownsChunks'> {
  /** Runs after each write, with the size of the file. */
  onWritten?: (upTo: number) => void
}

interface Hashing {
  hash: FileHash
  /** How far it has been told to read. */
  upTo: number
  idle: NodeJS.Timeout
}

/**
 * Bytes that come in several turns, and outlive this process in between: a file each, under the id that its blob will
 * have. How much of a file counts, its owner knows; what lies behind that is overwritten by the next turn.
 */
export class PartialFiles {
  readonly #hashing = new Map<string, Hashing>()
  /** Made in this run; nobody may have written down yet that they are wanted. */
  readonly #fresh = new Set<string>()

  constructor(
    private readonly dir: string,
    private readonly shelf: BlobShelf,
  ) {}

  /** Makes an empty file whose name survives a power cut. Answers its id. */
  async create(): Promise<string> {
    const blobId = newBlobId()
    this.#fresh.add(blobId)
    const file = await open(this.#pathOf(blobId), CREATE_NEW, 0o600)
    await file.close()
    await syncDir(this.dir)
    return blobId
  }

  /** Continues a file. The caller settles and closes what this returns. */
  async write(blobId: string, { onWritten, ...options }: TurnOptions): Promise<FileWriter> {
    const file = await open(this.#pathOf(blobId), constants.O_WRONLY | constants.O_NOFOLLOW)
    const written = (upTo: number) => {
      this.#follow(blobId, upTo)
      onWritten?.(upTo)
    }
    return new FileWriter(file, { ...options, ownsChunks: true, onWritten: written })
  }

  /** The file counts up to here: whatever was hashed behind that is forgotten. */
  accept(blobId: string, bytes: number): void {
    const known = this.#hashing.get(blobId)
    if (known && known.upTo > bytes) this.#forgetLater(blobId)
    else this.#follow(blobId, bytes)
  }

  /** The first `size` bytes as a draft. Published once more after a failure, they are found where they are by then. */
  draft(blobId: string, size: number): { publish(check?: (sha256: string) => void): Promise<PublishedBlob> } {
    return { publish: (check = () => undefined) => this.#publish(blobId, size, check) }
  }

  /** How many bytes lie there, wherever they are by now; 0 where there are none. */
  async sizeOf(blobId: string): Promise<number> {
    return (await sizeAt(this.#pathOf(blobId))) ?? (await sizeAt(this.shelf.pathOf(blobId))) ?? 0
  }

  /** Gives up the bytes. Not for those that a file has by now. */
  async remove(blobId: string): Promise<void> {
    await this.#forget(blobId)
    await rm(this.#pathOf(blobId), { force: true })
    await rm(this.shelf.pathOf(blobId), { force: true })
    this.shelf.forget(blobId)
    this.#fresh.delete(blobId)
  }

  /** Deletes what nobody wants any more. Answers how many. */
  async sweep(isWanted: (blobId: string) => boolean): Promise<number> {
    const left = (await readdir(this.dir)).filter((name) => isBlobId(name) && !isWanted(name) && !this.#fresh.has(name))
    for (const name of left) await rm(join(this.dir, name), { force: true })
    return left.length
  }

  async #publish(blobId: string, size: number, check: (sha256: string) => void): Promise<PublishedBlob> {
    const held = this.#pathOf(blobId)
    const isHeld = (await sizeAt(held)) !== undefined
    if (isHeld) await this.#cutOff(held, size)
    const known = this.#hashing.get(blobId)
    this.#hashing.delete(blobId)
    clearTimeout(known?.idle)
    const digests = await (known?.hash ?? hashAside(isHeld ? held : this.shelf.pathOf(blobId))).digests(size)
    check(digests.sha256)
    if (isHeld) await this.shelf.accept(held, blobId, () => undefined)
    this.#fresh.delete(blobId)
    return { blobId, size, ...digests }
  }

  /** Returns once the file has this size, and all of it is on disk. */
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
    const known = this.#hashing.get(blobId)
    const hash = known?.hash ?? hashAside(this.#pathOf(blobId))
    clearTimeout(known?.idle)
    const idle = setTimeout(() => this.#forgetLater(blobId), HASH_IDLE_MS).unref()
    this.#hashing.set(blobId, { hash, upTo, idle })
    hash.written(upTo, [])
  }

  /** A worker that cannot be stopped costs memory and nothing else. */
  #forgetLater(blobId: string): void {
    this.#forget(blobId).catch(() => undefined)
  }

  async #forget(blobId: string): Promise<void> {
    const known = this.#hashing.get(blobId)
    this.#hashing.delete(blobId)
    clearTimeout(known?.idle)
    await known?.hash.stop()
  }

  /** Ids are checked here, so that whatever a caller passes cannot become another path. */
  #pathOf(blobId: string): string {
    if (!isBlobId(blobId)) throw new Error('Not a blob ID')
    return join(this.dir, blobId)
  }
}

async function sizeAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
