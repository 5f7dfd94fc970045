import { mkdir, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { copyHashed, hashFile, linkTo } from '../../copy-files'
import { syncDir, unlessMissing } from '../../../core/durable-file'
import { listFiles, type DataFile } from './files-of'

/** The progress of a copy. */
export interface Progress {
  bytes: number
  files: number
}

interface CopyDeps {
  from: string
  to: string
  shares: boolean
  signal: AbortSignal
  onProgress: () => void
}

/**
 * Copies a data folder in two passes: a long one while the host runs, and a short one for later
 * changes after it stopped. Each file is flushed, read again and compared before it counts.
 */
export class FolderCopy {
  readonly progress: Progress = { bytes: 0, files: 0 }
  readonly #taken = new Map<string, DataFile>()
  readonly #folders = new Set<string>()

  constructor(private readonly deps: CopyDeps) {}

  /** Copies large files that rarely change; skips files deleted during the copy. */
  async takeBytes(): Promise<void> {
    const isBytes = ({ name }: DataFile) => /^(blobs|uploads|orphans)\//.test(name)
    for await (const file of listFiles(this.deps.from))
      if (isBytes(file)) await unlessMissing(this.#take(file))
  }

  /**
   * Copies the remaining files, removes deleted ones, and flushes all names. The folder must no
   * longer change.
   */
  async takeRest(): Promise<void> {
    const gone = new Set(this.#taken.keys())
    for await (const file of listFiles(this.deps.from)) {
      gone.delete(file.name)
      await this.#take(file)
    }
    for (const name of gone) await rm(join(this.deps.to, name), { force: true })
    for (const folder of [...this.#folders].sort().reverse()) await syncDir(folder)
    await syncDir(this.deps.to)
  }

  async #take(file: DataFile): Promise<void> {
    this.deps.signal.throwIfAborted()
    const before = this.#taken.get(file.name)
    if (before?.size === file.size && before.changedMs === file.changedMs) return
    if (before) this.#forget(before)

    const from = join(this.deps.from, file.name)
    const to = join(this.deps.to, file.name)
    await this.#makeFolder(dirname(to))
    await rm(to, { force: true })
    if (!(this.deps.shares && file.isFixed && (await linkTo(from, to))))
      await this.#copy(from, to, file)
    else this.progress.bytes += file.size

    this.#taken.set(file.name, file)
    this.progress.files++
    this.deps.onProgress()
  }

  async #copy(from: string, to: string, { changedMs }: DataFile): Promise<void> {
    const onBytes = (bytes: number) => {
      this.progress.bytes += bytes
      this.deps.onProgress()
    }
    const { sha256 } = await copyHashed(from, to, { signal: this.deps.signal, onBytes })
    if ((await hashFile(to)) !== sha256)
      throw new Error(`${to} differs from what was written: its disk is failing`)
    // Keep the time: it shows whether a file that was set aside is older than the library.
    await utimes(to, changedMs / 1000, changedMs / 1000)
  }

  #forget({ name, size }: DataFile): void {
    this.#taken.delete(name)
    this.progress.bytes -= size
    this.progress.files--
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#folders.has(folder)) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (let it = folder; it !== this.deps.to; it = dirname(it)) this.#folders.add(it)
  }
}
