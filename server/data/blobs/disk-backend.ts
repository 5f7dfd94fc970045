import { constants } from 'node:fs'
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, renamePatiently, syncDir, unlessMissing } from '../../core/durable-file'
import { linkOrCopy, type CopyOptions, type Placed } from '../copy-files'
import { blobOf, sidecarNames, isBlobId, isShard, type SidecarName } from './blob-names'
import type { BlobBackend, StoredBlob } from './stored-blobs'

/** The data folder while this process has it. */
export interface Held {
  /** Throws if its disk disconnected and another folder is at the path. */
  require(): Promise<void>
}

/** The folder of published blobs, `blobs/aa/<random>`. Creating one reads and changes nothing. */
export class DiskBackend implements BlobBackend {
  /** Blobs published in this run. Their records follow later, so a sweep must skip them. */
  readonly #fresh = new Set<string>()
  readonly #shards = new Map<string, Promise<string>>()

  private constructor(
    readonly dir: string,
    private readonly held: Held,
  ) {}

  /** That of a data folder or a backup. */
  static in(dataDir: string, held: Held = { require: () => Promise.resolve() }): DiskBackend {
    return new DiskBackend(join(dataDir, 'blobs'), held)
  }

  /**
   * Path of a blob or sidecar. Validates the name, so that no caller or library can reach other
   * paths.
   */
  pathOf(name: string): string {
    if (blobOf(name) === undefined) throw new Error(`${JSON.stringify(name)} is not a blob ID`)
    return join(this.dir, name.slice(0, 2), name)
  }

  async *ids(): AsyncGenerator<string> {
    const shards = (await unlessMissing(readdir(this.dir))) ?? []
    for (const shard of shards.filter(isShard))
      yield* (await readdir(join(this.dir, shard))).filter(isBlobId)
  }

  async find(name: string): Promise<StoredBlob | undefined> {
    const stats = await unlessMissing(stat(this.pathOf(name)))
    return stats && { size: stats.size, madeAt: stats.mtime, inode: `${stats.dev} ${stats.ino}` }
  }

  open(blobId: string): Promise<FileHandle> {
    return open(this.pathOf(blobId), constants.O_RDONLY | constants.O_NOFOLLOW)
  }

  async sidecar(blobId: string, name: SidecarName, most = Infinity): Promise<Buffer | undefined> {
    const file = await unlessMissing(
      open(this.pathOf(`${blobId}.${name}`), constants.O_RDONLY | constants.O_NOFOLLOW),
    )
    if (!file) return undefined

    try {
      return (await file.stat()).size > most ? undefined : await file.readFile()
    } finally {
      await file.close()
    }
  }

  withFile = <T>(blobId: string, work: (path: string) => Promise<T>): Promise<T> =>
    work(this.pathOf(blobId))

  copyTo(name: string, to: string, options?: CopyOptions): Promise<Placed | undefined> {
    return unlessMissing(linkOrCopy(this.pathOf(name), to, options))
  }

  isFresh(blobId: string): boolean {
    return this.#fresh.has(blobId)
  }

  /** Deletes a blob, then its sidecars: a sweep deletes what a crash leaves. */
  async remove(blobId: string): Promise<void> {
    await rm(this.pathOf(blobId), { force: true })
    for (const name of sidecarNames) await this.removeSidecar(blobId, name)
    this.#fresh.delete(blobId)
  }

  async removeSidecar(blobId: string, name: SidecarName): Promise<void> {
    await rm(this.pathOf(`${blobId}.${name}`), { force: true })
  }

  /** Renames the file. */
  async accept(from: string, name: string, moved: (path: string) => void): Promise<void> {
    const target = this.pathOf(name)
    await this.held.require()
    const shard = await this.#shard(name)

    if (isBlobId(name)) this.#fresh.add(name)
    await renamePatiently(from, target)
    moved(target)
    await Promise.all([syncDir(shard), syncDir(join(from, '..'))])

    await this.held.require().catch(async (error: unknown) => {
      await rm(target, { force: true })
      throw error
    })
  }

  /** Synced once per run: an existing folder may not have been synced. */
  #shard(name: string): Promise<string> {
    const shard = name.slice(0, 2)
    const cachedShard = this.#shards.get(shard)
    if (cachedShard !== undefined) return cachedShard
    const made = this.#makeShard(join(this.dir, shard))
    this.#shards.set(shard, made)
    made.catch(() => this.#shards.delete(shard))
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
