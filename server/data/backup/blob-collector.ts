import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncDir } from '../durable-file'
import { blobIdsIn, blobPath } from './blob-files'
import { copyHashed, linkTo, unlessMissing } from './copy-files'
import type { PromisedBlob } from '../repair/records'

export interface CollectOptions {
  /** Ends the work with its reason. */
  signal?: AbortSignal | undefined
  /** Hears how many files are taken, and of how many. */
  onProgress?: (taken: number, of: number) => void
}

/** Gathers blobs into a backup: shared where that is possible, else copied and synced. */
export class BlobCollector {
  linked = 0
  readonly #taken = new Set<string>()
  readonly #shards = new Set<string>()

  private constructor(
    private readonly dataDir: string,
    private readonly target: string,
    /** The backup before, and what it has. */
    private readonly previous: { dir: string; blobIds: Set<string> } | undefined,
    private readonly options: CollectOptions,
  ) {}

  static async create(
    dataDir: string,
    previousDir: string | undefined,
    target: string,
    options: CollectOptions = {},
  ): Promise<BlobCollector> {
    const previous = previousDir && { dir: previousDir, blobIds: new Set(await blobIdsIn(previousDir)) }
    return new BlobCollector(dataDir, target, previous || undefined, options)
  }

  get count(): number {
    return this.#taken.size
  }

  /** Everything that lies there now. The library is read afterwards, so little of what it names is missing then. */
  async takeAll(): Promise<void> {
    const blobIds = await blobIdsIn(this.dataDir)
    for (const blobId of blobIds) {
      await this.#take(blobId)
      this.options.onProgress?.(this.count, blobIds.length)
    }
  }

  /** Takes what else is promised, and drops the rest. Answers what could not be found any more, if anything. */
  async keepOnly(promised: Iterable<PromisedBlob>): Promise<string | undefined> {
    const kept = new Set<string>()
    for (const { blobId, name } of promised) {
      kept.add(blobId)
      if (!this.#taken.has(blobId) && !(await this.#take(blobId))) return name
    }
    for (const blobId of this.#taken) {
      if (kept.has(blobId)) continue
      this.#taken.delete(blobId)
      await rm(blobPath(this.target, blobId))
    }
    return undefined
  }

  /** Returns once the names would survive a power cut. */
  async finish(): Promise<void> {
    for (const shard of this.#shards) await syncDir(shard)
    await syncDir(join(this.target, 'blobs'))
  }

  /** False where it is gone. */
  async #take(blobId: string): Promise<boolean> {
    this.options.signal?.throwIfAborted()
    const to = blobPath(this.target, blobId)
    await this.#makeShard(dirname(to))
    const from = this.previous?.blobIds.has(blobId) ? this.previous.dir : this.dataDir
    const shared = await unlessMissing(this.#linkOrCopy(blobPath(from, blobId), to))
    if (shared === undefined) return false
    if (shared) this.linked++
    this.#taken.add(blobId)
    return true
  }

  async #linkOrCopy(from: string, to: string): Promise<boolean> {
    if (await linkTo(from, to)) return true
    await copyHashed(from, to, { signal: this.options.signal })
    return false
  }

  async #makeShard(shard: string): Promise<void> {
    if (this.#shards.has(shard)) return
    await mkdir(shard, { recursive: true, mode: 0o700 })
    this.#shards.add(shard)
  }
}
