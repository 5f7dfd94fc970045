import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, renamePatiently, syncDir } from '../durable-file'

const BLOB_ID = /^[0-9a-f]{32}$/
/** The file that describes all blobs. */
export const CATALOGUE = 'catalogue.json'

export const newBlobId = () => randomBytes(16).toString('hex')
export const isBlobId = (name: string) => BLOB_ID.test(name)
/** Whether earlier versions wrote this file, beside a blob or once for all. */
export const isSidecar = (name: string) => /^([0-9a-f]{32}\.json|sidecars-are-true)$/.test(name)

/** The folder of published blobs, `blobs/aa/<random>`. */
export class BlobShelf {
  /** Blobs published in this run. Their records follow later, so a sweep must skip them. */
  readonly #fresh = new Set<string>()
  readonly #shards = new Map<string, Promise<string>>()

  constructor(
    readonly dir: string,
    /** Throws if the disk disconnected and another folder is at the path. */
    private readonly confirm: () => Promise<void>,
  ) {}

  /** Validates the id, so that no caller can reach another path. */
  pathOf(blobId: string): string {
    if (!isBlobId(blobId)) throw new Error('Not a blob ID')
    return join(this.dir, blobId.slice(0, 2), blobId)
  }

  isFresh(blobId: string): boolean {
    return this.#fresh.has(blobId)
  }

  forget(blobId: string): void {
    this.#fresh.delete(blobId)
  }

  /** Moves a file into place. Calls `moved` after the rename; returns once it would survive a power cut. */
  async accept(from: string, blobId: string, moved: (path: string) => void): Promise<void> {
    const target = this.pathOf(blobId)
    await this.confirm()
    const shard = await this.#shard(blobId)
    this.#fresh.add(blobId)
    await renamePatiently(from, target)
    moved(target)
    await Promise.all([syncDir(shard), syncDir(join(from, '..'))])
    await this.confirm().catch(async (error: unknown) => {
      await rm(target, { force: true })
      throw error
    })
  }

  /** Synced once per run: an existing folder may not have been synced. */
  #shard(blobId: string): Promise<string> {
    const name = blobId.slice(0, 2)
    const known = this.#shards.get(name)
    if (known !== undefined) return known
    const made = this.#makeShard(join(this.dir, name))
    this.#shards.set(name, made)
    made.catch(() => this.#shards.delete(name))
    return made
  }

  async #makeShard(shard: string): Promise<string> {
    await mkdir(shard, { mode: 0o700 }).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
    await syncDir(this.dir)
    return shard
  }
}
