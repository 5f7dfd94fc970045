import { constants } from 'node:fs'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobDraft, PublishedBlob } from './drafts'
import { isBlobId, newBlobId } from './blob-names'
import type { DiskBackend } from './disk-backend'
import type { PartialUploads, AppendOptions, UploadBytes } from './blob-store'
import { CREATE_NEW, syncDir, unlessMissing } from '../../core/durable-file'
import { hashAside, type FileHash } from './file-hash'
import { FileWriter } from './file-writer'

/**
 * How long to keep hash state between two requests, in ms. After that, hashes the file from its
 * start.
 */
const HASH_IDLE_MS = 60_000

interface Hashing {
  hash: FileHash
  upTo: number
  idle: NodeJS.Timeout
}

/** Files of this disk. */
export class PartialFiles implements PartialUploads {
  readonly #hashing = new Map<string, Hashing>()
  /** Created in this run; their records may not be written yet. */
  readonly #fresh = new Set<string>()

  constructor(
    private readonly dir: string,
    private readonly backend: DiskBackend,
  ) {}

  bytesHere(size: number): number {
    return size
  }

  async create(): Promise<{ blobId: string }> {
    const blobId = newBlobId()
    this.#fresh.add(blobId)
    const file = await open(this.#pathOf(blobId), CREATE_NEW, 0o600)
    await file.close()
    await syncDir(this.dir)
    return { blobId }
  }

  async write(
    { blobId, offset }: UploadBytes,
    { onBytes, onWritten, onSafe }: AppendOptions,
  ): Promise<FileWriter> {
    const file = await open(this.#pathOf(blobId), constants.O_WRONLY | constants.O_NOFOLLOW)
    const written = (upTo: number) => {
      this.#follow(blobId, upTo)
      onWritten?.(upTo)
    }

    // The last append may have failed after its bytes were hashed.
    if ((this.#hashing.get(blobId)?.upTo ?? 0) > offset) await this.#forget(blobId)
    const onSynced =
      onSafe && ((upTo: number) => void onSafe({ offset: upTo }).catch(() => undefined))

    return new FileWriter(file, {
      start: offset,
      onBytes,
      onSynced,
      ownsChunks: true,
      onWritten: written,
    })
  }

  /** Discards hashes of bytes that do not count. */
  accept({ blobId, offset }: UploadBytes): void {
    const hashing = this.#hashing.get(blobId)
    if (hashing && hashing.upTo > offset) this.#forgetLater(blobId)
    else if (hashing) this.#follow(blobId, offset)
  }

  draft({ blobId, size }: UploadBytes): Pick<BlobDraft, 'publish'> {
    return { publish: (check = () => undefined) => this.#publish(blobId, size, check) }
  }

  async isLost({ blobId, offset }: UploadBytes): Promise<boolean> {
    return (
      ((await readFileSize(this.#pathOf(blobId))) ??
        (await readFileSize(this.backend.pathOf(blobId))) ??
        0) < offset
    )
  }

  async remove({ blobId }: UploadBytes): Promise<void> {
    await this.#forget(blobId)
    await rm(this.#pathOf(blobId), { force: true })
    await this.backend.remove(blobId)
    this.#fresh.delete(blobId)
  }

  async sweep(find: (blobId: string) => UploadBytes | undefined): Promise<void> {
    const leftovers = (await readdir(this.dir)).filter(
      (name) => isBlobId(name) && find(name) === undefined && !this.#fresh.has(name),
    )
    for (const name of leftovers) await rm(join(this.dir, name), { force: true })
  }

  async #publish(
    blobId: string,
    size: number,
    check: (sha256: string) => void,
  ): Promise<PublishedBlob> {
    const held = this.#pathOf(blobId)
    const isHeld = (await readFileSize(held)) !== undefined
    if (isHeld) await this.#cutOff(held, size)

    const hashing = this.#hashing.get(blobId)
    this.#hashing.delete(blobId)
    clearTimeout(hashing?.idle)
    const digests = await (
      hashing?.hash ?? hashAside(isHeld ? held : this.backend.pathOf(blobId))
    ).digests(size)
    check(digests.sha256)

    if (isHeld) await this.backend.accept(held, blobId, () => undefined)
    this.#fresh.delete(blobId)
    return { blobId, size, ...digests }
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
