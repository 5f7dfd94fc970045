import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, renamePatiently, syncDir } from '../durable-file'

const BLOB_ID = /^[0-9a-f]{32}$/
/** The file that describes all blobs. */
export const CATALOGUE = 'catalogue.json'

/**
 * Small files beside a blob: `<blob>.facts.json` has what a package says, `<blob>.icon.png` its icon, `<blob>.blockmap`
 * the map of its blocks for updaters.
 */
export const companionNames = ['facts.json', 'icon.png', 'blockmap'] as const
export type CompanionName = (typeof companionNames)[number]

export const newBlobId = () => randomBytes(16).toString('hex')
export const isBlobId = (name: string) => BLOB_ID.test(name)
/** The ID of a blob, or of the one that a companion belongs to; undefined for other names. */
export function blobOf(name: string): string | undefined {
  const [blobId = '', ...companion] = name.split('.')
  const isKnown = companion.length === 0 || companionNames.some((it) => it === companion.join('.'))
  return isKnown && isBlobId(blobId) ? blobId : undefined
}
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

  /** Where a blob or companion is. Validates its name, so that no caller can reach another path. */
  pathOf(name: string): string {
    if (blobOf(name) === undefined) throw new Error('Not a blob ID')
    return join(this.dir, name.slice(0, 2), name)
  }

  isFresh(blobId: string): boolean {
    return this.#fresh.has(blobId)
  }

  /** Deletes a blob and its companions, those last: a sweep deletes what a crash leaves. */
  async remove(blobId: string): Promise<void> {
    await rm(this.pathOf(blobId), { force: true })
    for (const name of companionNames) await rm(this.pathOf(`${blobId}.${name}`), { force: true })
    this.#fresh.delete(blobId)
  }

  /**
   * Moves a file into place, as the blob or companion `name`. Calls `moved` after the rename; returns once it would
   * survive a power cut.
   */
  async accept(from: string, name: string, moved: (path: string) => void): Promise<void> {
    const target = this.pathOf(name)
    await this.confirm()
    const shard = await this.#shard(name)
    if (isBlobId(name)) this.#fresh.add(name)
    await renamePatiently(from, target)
    moved(target)
    await Promise.all([syncDir(shard), syncDir(join(from, '..'))])
    await this.confirm().catch(async (error: unknown) => {
      await rm(target, { force: true })
      throw error
    })
  }

  /** Synced once per run: an existing folder may not have been synced. */
  #shard(name: string): Promise<string> {
    const shard = name.slice(0, 2)
    const known = this.#shards.get(shard)
    if (known !== undefined) return known
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
