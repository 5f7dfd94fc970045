import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { companionNames, isBlobId, type CompanionName } from '../blobs/blob-names'
import { BlobShelf } from '../blobs/blob-shelf'
import type { Shelf, StoredBlob } from '../blobs/stored-blobs'
import { syncDir } from '../../core/durable-file'
import type { PromisedBlob } from '../repair/records'

/** Where blobs and companions are copied from. */
export type BackupSource = Pick<Shelf, 'copyTo' | 'find' | 'ids' | 'list'>

export interface CollectOptions {
  signal?: AbortSignal | undefined
  onProgress?: (count: number, of: number) => void
}

/** What a store had when it was asked for all of it. */
type Listed = ReadonlyMap<string, StoredBlob>

/** Collects blobs and their companions into a backup: hard-linked if possible, else copied and synced. */
export class BlobCollector {
  linked = 0
  readonly #taken = new Set<string>()
  readonly #companions = new Set<string>()
  readonly #shards = new Set<string>()

  private constructor(
    private readonly source: BackupSource,
    private readonly target: BlobShelf,
    private readonly previous: { shelf: BlobShelf; blobIds: Set<string> } | undefined,
    private readonly options: CollectOptions,
  ) {}

  /** `from`: a data folder, or where else the blobs are. */
  static async create(
    from: BackupSource | string,
    previousDir: string | undefined,
    target: string,
    options: CollectOptions = {},
  ): Promise<BlobCollector> {
    const source = typeof from === 'string' ? BlobShelf.in(from) : from
    const shelf = previousDir === undefined ? undefined : BlobShelf.in(previousDir)
    const previous = shelf && { shelf, blobIds: new Set(await listIds(shelf)) }
    return new BlobCollector(source, BlobShelf.in(target), previous, options)
  }

  get count(): number {
    return this.#taken.size
  }

  /** Takes every blob that exists now. The library is read afterwards, so few of its blobs are missing then. */
  async takeAll(): Promise<void> {
    const listed = await this.source.list?.()
    const blobIds = listed ? [...listed.keys()].filter(isBlobId) : await listIds(this.source)
    for (const blobId of blobIds) {
      await this.#take(blobId, listed)
      this.options.onProgress?.(this.count, blobIds.length)
    }
  }

  /** Takes the remaining promised blobs, drops all others. Returns the filename of a missing blob, if any. */
  async keepOnly(promised: Iterable<PromisedBlob>): Promise<string | undefined> {
    const promisedNames = new Set<string>()
    for (const { blobId, name, companions } of promised) {
      promisedNames.add(blobId)
      if (!this.#taken.has(blobId) && !(await this.#take(blobId))) return name
      for (const companion of companions) {
        promisedNames.add(`${blobId}.${companion}`)
        if (!this.#companions.has(`${blobId}.${companion}`)) await this.#takeCompanion(blobId, companion)
      }
    }
    for (const names of [this.#taken, this.#companions]) {
      for (const name of names) {
        if (promisedNames.has(name)) continue
        names.delete(name)
        await rm(this.target.pathOf(name))
      }
    }
    return undefined
  }

  /** Returns once the names would survive a power cut. */
  async finish(): Promise<void> {
    for (const shard of this.#shards) await syncDir(shard)
    await syncDir(this.target.dir)
  }

  /** Returns false if the blob was deleted. */
  async #take(blobId: string, listed?: Listed): Promise<boolean> {
    this.options.signal?.throwIfAborted()
    const to = this.target.pathOf(blobId)
    await this.#makeShard(dirname(to))
    const from = this.previous?.blobIds.has(blobId) ? this.previous.shelf : this.source
    const shared = await from.copyTo(blobId, to, this.options)
    if (shared === undefined) return false
    if (shared) this.linked++
    this.#taken.add(blobId)
    for (const companion of companionNames) await this.#takeCompanion(blobId, companion, listed)
    return true
  }

  /** It may have been replaced since the previous backup. A missing one can be made again. */
  async #takeCompanion(blobId: string, companion: CompanionName, listed?: Listed): Promise<void> {
    const name = `${blobId}.${companion}`
    if (listed?.has(name) === false) return
    const before = this.previous?.blobIds.has(blobId) ? this.previous.shelf : undefined
    const isSame =
      before !== undefined && isCurrent(await before.find(name), listed?.get(name) ?? (await this.source.find(name)))
    const shared = await (isSame ? before : this.source).copyTo(name, this.target.pathOf(name), this.options)
    if (shared !== undefined) this.#companions.add(name)
  }

  async #makeShard(shard: string): Promise<void> {
    if (this.#shards.has(shard)) return
    await mkdir(shard, { recursive: true, mode: 0o700 })
    this.#shards.add(shard)
  }
}

async function listIds(blobs: Pick<Shelf, 'ids'>): Promise<string[]> {
  const ids: string[] = []
  for await (const blobId of blobs.ids()) ids.push(blobId)
  return ids
}

/** Whether a file in a backup still equals one that is only ever replaced as a whole. */
function isCurrent(copy: StoredBlob | undefined, original: StoredBlob | undefined): boolean {
  return copy !== undefined && copy.size === original?.size && copy.madeAt >= original.madeAt
}
