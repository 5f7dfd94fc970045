import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DAY_MS } from '../../core/clock'
import { blobOf, CATALOGUE, isBlobId, isShard, isSidecar } from './blob-names'
import type { BlobShelf } from './blob-shelf'
import { errorCode } from '../durable-file'

/** Time to notice a lost library and restore it from a backup. */
const WAIT_DAYS = 7

type IsReferenced = (blobId: string) => boolean

/** Blobs without a record, and their companions, kept in a separate folder until they expire. */
export class Orphans {
  constructor(
    private readonly dir: string,
    private readonly shelf: BlobShelf,
    private readonly now: () => Date,
  ) {}

  /** Sets aside blobs of earlier runs without a record. Returns how many. */
  async gather(isReferenced: IsReferenced): Promise<number> {
    let gathered = 0
    const top = await readdir(this.shelf.dir)
    const sidecars = top.filter(isSidecar)
    for (const shard of top.filter(isShard)) {
      const names = await readdir(join(this.shelf.dir, shard))
      sidecars.push(...names.filter(isSidecar).map((name) => join(shard, name)))
      for (const name of names) {
        const blobId = blobOf(name)
        if (blobId === undefined || this.shelf.isFresh(blobId) || isReferenced(blobId)) continue
        if ((await this.#setAside(join(this.shelf.dir, shard, name))) && isBlobId(name)) gathered++
      }
    }
    if (top.includes(CATALOGUE)) await removeAll(this.shelf.dir, sidecars)
    return gathered
  }

  /** Restores orphans that a record names again, and deletes expired ones. */
  async settle(isReferenced: IsReferenced): Promise<void> {
    const names = await readdir(this.dir)
    await removeAll(this.dir, names.filter(isSidecar))
    for (const name of names) {
      const path = join(this.dir, name)
      const blobId = blobOf(name)
      if (blobId === undefined) continue
      if (isReferenced(blobId)) await this.shelf.accept(path, name, () => undefined)
      else if (await this.#hasWaited(path)) await rm(path, { force: true })
    }
  }

  async #hasWaited(path: string): Promise<boolean> {
    const { ctimeMs, mtimeMs } = await stat(path)
    return this.now().getTime() - Math.max(ctimeMs, mtimeMs) > WAIT_DAYS * DAY_MS
  }

  async #setAside(from: string): Promise<boolean> {
    const path = join(this.dir, basename(from))
    try {
      await rename(from, path)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false
      throw error
    }
    // The file system uses the computer's clock, which may be wrong.
    await utimes(path, this.now(), this.now())
    return true
  }
}

async function removeAll(dir: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(dir, name), { force: true })
}
