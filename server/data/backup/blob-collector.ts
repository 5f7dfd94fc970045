import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sidecarNames, isBlobId, type SidecarName } from '../blobs/blob-names'
import { DiskBackend } from '../blobs/disk-backend'
import type { BlobBackend, StoredBlob } from '../blobs/stored-blobs'
import { syncDir } from '../../core/durable-file'
import { hashFile, isUnreadable, type Placed } from '../copy-files'
import type { PromisedBlob } from '../repair/records'

/** Source of blobs and their sidecars. */
export type BackupSource = Pick<BlobBackend, 'copyTo' | 'find' | 'ids' | 'list'>

export interface CollectOptions {
  signal?: AbortSignal | undefined
  onProgress?: (count: number, of: number) => void
}

/** Contents of a store at the time of listing. */
type Listed = ReadonlyMap<string, StoredBlob>

/** The backup before, whose blobs are shared. */
export interface Previous {
  dir: string
  /** Blobs that differed from their records; undefined: not all were compared. */
  damaged: readonly string[] | undefined
}

/**
 * Collects blobs and their sidecars into a backup: hard-linked if possible, else copied and synced.
 * Reads what it copies, so that damage is found during the backup and not at the restore. It also
 * reads each file that it shares with the data folder, every time, because damage reaches both. A
 * file of its own that an earlier backup has read is not read again.
 */
export class BlobCollector {
  linked = 0
  shared = 0
  /** SHA-256 of each blob that was read. Null if the backup shares an earlier compared file. */
  readonly #taken = new Map<string, string | null>()
  readonly #sidecars = new Set<string>()
  readonly #shards = new Set<string>()

  private constructor(
    private readonly source: BackupSource,
    private readonly target: DiskBackend,
    private readonly previous:
      | { backend: DiskBackend; blobIds: Set<string>; wasCompared: boolean }
      | undefined,
    private readonly options: CollectOptions,
  ) {}

  /** `from`: a data folder, or where else the blobs are. */
  static async create(
    from: BackupSource | string,
    before: Previous | undefined,
    target: string,
    options: CollectOptions = {},
  ): Promise<BlobCollector> {
    const source = typeof from === 'string' ? DiskBackend.in(from) : from
    const previous = before && (await openPrevious(before))
    return new BlobCollector(source, DiskBackend.in(target), previous, options)
  }

  get count(): number {
    return this.#taken.size
  }

  /**
   * Takes every blob that exists now. The library is read afterwards, so few of its blobs are
   * missing then.
   */
  async takeAll(): Promise<void> {
    const listed = await this.source.list?.()
    const blobIds = listed ? [...listed.keys()].filter(isBlobId) : await listIds(this.source)
    for (const blobId of blobIds) {
      await this.#take(blobId, listed)
      this.options.onProgress?.(this.count, blobIds.length)
    }
  }

  /** Takes the remaining promised blobs, drops all others. Returns whether it has all of them. */
  async keepOnly(promised: Iterable<PromisedBlob>): Promise<boolean> {
    let isWhole = true
    const promisedNames = new Set<string>()
    for (const { blobId, sidecars } of promised) {
      promisedNames.add(blobId)
      if (!this.#taken.has(blobId) && !(await this.#take(blobId))) {
        isWhole = false
        continue
      }

      for (const sidecar of sidecars) {
        promisedNames.add(`${blobId}.${sidecar}`)
        if (!this.#sidecars.has(`${blobId}.${sidecar}`)) await this.#takeSidecar(blobId, sidecar)
      }
    }

    for (const names of [this.#taken, this.#sidecars]) {
      for (const name of [...names.keys()]) {
        if (promisedNames.has(name)) continue
        names.delete(name)
        await rm(this.target.pathOf(name))
      }
    }

    return isWhole
  }

  /** The promised blobs whose bytes here are not those of the upload. */
  differing(promised: Iterable<PromisedBlob>): PromisedBlob[] {
    return [...promised].filter(({ blobId, sha256 }) => {
      const digest = this.#taken.get(blobId) ?? null
      return digest !== null && digest !== sha256
    })
  }

  /** Returns once the names would survive a power cut. */
  async finish(): Promise<void> {
    for (const shard of this.#shards) await syncDir(shard)
    await syncDir(this.target.dir)
  }

  /** Returns false if the blob was deleted, or its disk cannot read it. */
  async #take(blobId: string, listed?: Listed): Promise<boolean> {
    this.options.signal?.throwIfAborted()
    const to = this.target.pathOf(blobId)
    await this.#makeShard(dirname(to))

    const placed = await this.#place(blobId, to).catch((error: unknown) => {
      if (isUnreadable(error)) return undefined
      throw error
    })
    if (placed === undefined) return false

    this.#taken.set(blobId, placed.sha256)
    for (const sidecar of sidecarNames) await this.#takeSidecar(blobId, sidecar, listed)
    return true
  }

  async #place(blobId: string, to: string): Promise<Placed | undefined> {
    const before = this.previous?.blobIds.has(blobId) ? this.previous : undefined
    const placed = await (before?.backend ?? this.source).copyTo(blobId, to, this.options)
    if (placed?.sha256 !== null) return placed

    this.linked++
    const isShared = await this.#isShared(blobId)
    if (isShared) this.shared++
    return isShared || before?.wasCompared !== true ? { sha256: await hashFile(to) } : placed
  }

  /** Whether a file of the backup is also that of the data folder. */
  async #isShared(blobId: string): Promise<boolean> {
    if (!(this.source instanceof DiskBackend)) return false
    const [own, theirs] = [await this.target.find(blobId), await this.source.find(blobId)]
    return own?.inode !== undefined && own.inode === theirs?.inode
  }

  /**
   * A sidecar may have been replaced since the previous backup. A missing one can be made again.
   */
  async #takeSidecar(blobId: string, sidecar: SidecarName, listed?: Listed): Promise<void> {
    const name = `${blobId}.${sidecar}`
    if (listed?.has(name) === false) return

    const before = this.previous?.blobIds.has(blobId) ? this.previous.backend : undefined
    const isSame =
      before !== undefined &&
      isCurrent(await before.find(name), listed?.get(name) ?? (await this.source.find(name)))
    const from = isSame ? before : this.source

    const placed = await from
      .copyTo(name, this.target.pathOf(name), this.options)
      .catch((error: unknown) => {
        if (isUnreadable(error)) return undefined
        throw error
      })

    if (placed !== undefined) this.#sidecars.add(name)
  }

  async #makeShard(shard: string): Promise<void> {
    if (this.#shards.has(shard)) return
    await mkdir(shard, { recursive: true, mode: 0o700 })
    this.#shards.add(shard)
  }
}

/** Copies a damaged blob again, because the data folder may have an intact one. */
async function openPrevious({ dir, damaged }: Previous) {
  const backend = DiskBackend.in(dir)
  const blobIds = new Set(await listIds(backend))
  for (const blobId of damaged ?? []) blobIds.delete(blobId)
  return { backend, blobIds, wasCompared: damaged !== undefined }
}

async function listIds(blobs: Pick<BlobBackend, 'ids'>): Promise<string[]> {
  const ids: string[] = []
  for await (const blobId of blobs.ids()) ids.push(blobId)
  return ids
}

/** Whether a file in a backup equals an original that is only replaced as a whole. */
function isCurrent(copy: StoredBlob | undefined, original: StoredBlob | undefined): boolean {
  return copy !== undefined && copy.size === original?.size && copy.madeAt >= original.madeAt
}
