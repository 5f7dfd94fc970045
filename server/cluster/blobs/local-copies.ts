import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { renamePatiently } from '../../core/durable-file'

/**
 * How long the bytes of a blob stay on this host after their last use, in ms, and of how many
 * blobs.
 */
const IDLE_MS = 60_000
const MOST_IDLE = 8

const SUFFIX = '.copy'

interface LocalCopy {
  path: Promise<string>
  uses: number
  idle?: NodeJS.Timeout
}

/**
 * Files of this host with the bytes of blobs, for those who need a path: a package is read and
 * mapped soon after its upload, several times.
 */
export class LocalCopies {
  readonly #files = new Map<string, LocalCopy>()

  constructor(
    private readonly dir: string,
    private readonly fetch: (blobId: string, path: string) => Promise<void>,
  ) {}

  /** Deletes what earlier runs have left. */
  async clear(): Promise<void> {
    const names = (await readdir(this.dir)).filter((name) => name.endsWith(SUFFIX))
    for (const name of names) await rm(join(this.dir, name), { force: true })
  }

  /** Takes a file over, which has the bytes of the blob. */
  async keep(blobId: string, from: string): Promise<void> {
    const path = this.#newPath()
    await renamePatiently(from, path)
    const file: LocalCopy = { path: Promise.resolve(path), uses: 0 }
    this.#files.set(blobId, file)
    this.#rest(blobId, file)
  }

  /** Fetches the bytes, if they are not here. */
  async with<T>(blobId: string, work: (path: string) => Promise<T>): Promise<T> {
    const file = this.#files.get(blobId) ?? this.#fetched(blobId)
    clearTimeout(file.idle)
    file.uses++
    try {
      return await work(await file.path)
    } finally {
      file.uses--
      if (file.uses === 0) this.#rest(blobId, file)
    }
  }

  async forget(blobId: string): Promise<void> {
    const file = this.#files.get(blobId)
    if (file === undefined) return
    this.#files.delete(blobId)
    clearTimeout(file.idle)
    // Programs that have it open can still read it.
    await file.path.then((path) => rm(path, { force: true })).catch(() => undefined)
  }

  #fetched(blobId: string): LocalCopy {
    const path = this.#newPath()
    const fetching = this.fetch(blobId, path).then(() => path)
    const file: LocalCopy = { path: fetching, uses: 0 }
    this.#files.set(blobId, file)
    fetching.catch(async () => {
      if (this.#files.get(blobId) === file) this.#files.delete(blobId)
      await rm(path, { force: true })
    })
    return file
  }

  #rest(blobId: string, file: LocalCopy): void {
    if (this.#files.get(blobId) !== file) return
    file.idle = setTimeout(() => void this.forget(blobId), IDLE_MS).unref()
    // The one that was used last is the last one.
    this.#files.delete(blobId)
    this.#files.set(blobId, file)
    const idle = [...this.#files].filter(([, { uses }]) => uses === 0)
    for (const [oldest] of idle.slice(0, Math.max(idle.length - MOST_IDLE, 0)))
      void this.forget(oldest)
  }

  #newPath = () => join(this.dir, `${randomBytes(8).toString('hex')}${SUFFIX}`)
}
