import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isBlobId, type BlobShelf } from './blob-shelf'
import { errorCode } from './durable-file'

const SHARD = /^[0-9a-f]{2}$/
const DAY_MS = 24 * 60 * 60 * 1000
/** How long orphans wait: time enough to notice a lost library and to restore it from a backup. */
const WAIT_DAYS = 7

type IsReferenced = (blobId: string) => boolean

/** Blobs that no record names, in a folder of their own until nobody can want them back. */
export class Orphans {
  constructor(
    private readonly dir: string,
    private readonly shelf: BlobShelf,
    private readonly now: () => Date,
  ) {}

  /** Sets aside the blobs of earlier runs that no record names. Answers how many. */
  async gather(isReferenced: IsReferenced): Promise<number> {
    let gathered = 0
    for (const shard of (await readdir(this.shelf.dir)).filter((name) => SHARD.test(name))) {
      const blobIds = (await readdir(join(this.shelf.dir, shard))).filter(isBlobId)
      for (const blobId of blobIds) {
        if (this.shelf.isFresh(blobId) || isReferenced(blobId)) continue
        if (await this.#setAside(blobId)) gathered++
      }
    }
    return gathered
  }

  /** Puts back the ones that a record names again, and deletes those that have waited long enough. */
  async settle(isReferenced: IsReferenced): Promise<void> {
    for (const blobId of (await readdir(this.dir)).filter(isBlobId)) {
      const path = join(this.dir, blobId)
      if (isReferenced(blobId)) await this.shelf.accept(path, blobId, () => undefined)
      else if (await this.#hasWaited(path)) await rm(path, { force: true })
    }
  }

  async #hasWaited(path: string): Promise<boolean> {
    const { ctimeMs } = await stat(path)
    return this.now().getTime() - ctimeMs > WAIT_DAYS * DAY_MS
  }

  /** False for a blob that was removed in the meantime. */
  async #setAside(blobId: string): Promise<boolean> {
    try {
      await rename(this.shelf.pathOf(blobId), join(this.dir, blobId))
      return true
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false
      throw error
    }
  }
}
