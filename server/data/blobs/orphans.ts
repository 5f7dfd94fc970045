import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../core/clock'
import { isBlobId, SIDECAR, type BlobShelf } from './blob-shelf'
import { errorCode } from '../durable-file'

const SHARD = /^[0-9a-f]{2}$/
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
      const names = await readdir(join(this.shelf.dir, shard))
      await this.#removeStraySidecars(names)
      const blobIds = names.filter(isBlobId)
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
      if (isReferenced(blobId)) await this.#putBack(blobId)
      else if (await this.#hasWaited(path)) {
        await rm(path, { force: true })
        await rm(`${path}${SIDECAR}`, { force: true })
      }
    }
  }

  async #hasWaited(path: string): Promise<boolean> {
    const { ctimeMs, mtimeMs } = await stat(path)
    return this.now().getTime() - Math.max(ctimeMs, mtimeMs) > WAIT_DAYS * DAY_MS
  }

  async #putBack(blobId: string): Promise<void> {
    const path = join(this.dir, blobId)
    await moveIfThere(`${path}${SIDECAR}`, this.shelf.sidecarOf(blobId))
    await this.shelf.accept(path, blobId, () => undefined)
  }

  /** What is told of a blob that is gone; a crash in the middle of a delete leaves it. */
  async #removeStraySidecars(names: readonly string[]): Promise<void> {
    const there = new Set(names)
    for (const name of names) {
      const blobId = name.slice(0, -SIDECAR.length)
      if (!name.endsWith(SIDECAR) || !isBlobId(blobId) || there.has(blobId) || this.shelf.isFresh(blobId)) continue
      await rm(this.shelf.sidecarOf(blobId), { force: true })
    }
  }

  /** False for a blob that was removed in the meantime. */
  async #setAside(blobId: string): Promise<boolean> {
    const path = join(this.dir, blobId)
    if (!(await moveIfThere(this.shelf.pathOf(blobId), path))) return false
    await moveIfThere(this.shelf.sidecarOf(blobId), `${path}${SIDECAR}`)
    // The file system goes by the clock of the computer, which may be wrong for a while.
    await utimes(path, this.now(), this.now())
    return true
  }
}

async function moveIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}
