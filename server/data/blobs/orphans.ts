import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DAY_MS } from '../../core/clock'
import { blobOf, isBlobId, isShard } from './blob-names'
import type { DiskBackend } from './disk-backend'
import { errorCode, renamePatiently, unlessMissing } from '../../core/durable-file'

/** Time to notice a lost library and restore it from a backup. */
const WAIT_DAYS = 7

type IsReferenced = (blobId: string) => boolean

/** Blobs without a record, and their sidecars, kept in a separate folder until they expire. */
export class Orphans {
  constructor(
    private readonly dir: string,
    private readonly backend: DiskBackend,
    private readonly now: () => Date,
  ) {}

  /**
   * Sets aside blobs of earlier runs without a record. Returns how many. `began`: when the library
   * began.
   */
  async gather(
    isReferenced: IsReferenced,
    began: Date | undefined,
    signal: AbortSignal,
  ): Promise<number> {
    let gathered = 0

    for (const shard of (await readdir(this.backend.dir)).filter(isShard)) {
      for (const name of await readdir(join(this.backend.dir, shard))) {
        if (signal.aborted) return gathered
        const blobId = blobOf(name)
        if (blobId === undefined || this.backend.isFresh(blobId) || isReferenced(blobId)) continue
        if ((await this.#setAside(join(this.backend.dir, shard, name), began)) && isBlobId(name))
          gathered++
      }
    }

    return gathered
  }

  /**
   * Restores orphans that a record names again. Deletes expired ones, unless the library is younger
   * than they are.
   */
  async settle(
    isReferenced: IsReferenced,
    began: Date | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    for (const name of await readdir(this.dir)) {
      if (signal.aborted) return
      const path = join(this.dir, name)
      const blobId = blobOf(name)
      if (blobId === undefined) continue
      if (isReferenced(blobId)) await this.backend.accept(path, name, () => undefined)
      else if (await this.#hasExpired(path, began)) await rm(path, { force: true })
    }
  }

  /** Restores all orphans, for a library that is rebuilt. */
  async restoreAll(): Promise<void> {
    for (const name of (await unlessMissing(readdir(this.dir))) ?? []) {
      if (blobOf(name) !== undefined)
        await this.backend.accept(join(this.dir, name), name, () => undefined)
    }
  }

  async #hasExpired(path: string, began: Date | undefined): Promise<boolean> {
    const { ctimeMs, mtimeMs } = await stat(path)
    if (isOlder(mtimeMs, began)) return false
    return this.now().getTime() - Math.max(ctimeMs, mtimeMs) > WAIT_DAYS * DAY_MS
  }

  async #setAside(from: string, began: Date | undefined): Promise<boolean> {
    const path = join(this.dir, basename(from))
    try {
      await renamePatiently(from, path)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false
      throw error
    }

    // Keep the time of a blob that is older than the library: `settle` needs it.
    if (isOlder((await stat(path)).mtimeMs, began)) return true
    // The file system uses the computer's clock, which may be wrong.
    await utimes(path, this.now(), this.now())
    return true
  }
}

/**
 * Whether a file is older than a library that began then, so that its record may be in an earlier
 * one. Without an account, every file is.
 */
const isOlder = (mtimeMs: number, began: Date | undefined) =>
  began === undefined || mtimeMs < began.getTime()
