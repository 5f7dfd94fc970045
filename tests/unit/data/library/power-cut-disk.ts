import { rename, stat, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { realDisk, type Disk, type DiskFile } from '../../../../server/core/durable-file'

interface Written {
  /** Under which name the bytes are now. */
  path: string
  synced: number
  length: number
}

/**
 * A disk that loses power after so many operations. Unsynced writes survive partly or not at all.
 */
export class PowerCutDisk implements Disk {
  readonly #files = new Map<string, Written>()
  /** Renames that their folder does not know for certain yet. */
  #renames: { from: string; to: string }[] = []
  #left: number

  constructor(
    operations: number,
    private seed: number,
  ) {
    this.#left = operations
  }

  get isCut(): boolean {
    return this.#left < 0
  }

  async open(path: string, flags: string | number, mode?: number): Promise<DiskFile> {
    this.#operate()
    const file = await realDisk.open(path, flags, mode)
    const entry: Written = { path, synced: 0, length: 0 }
    const isFile = flags !== 'r'
    if (isFile) this.#files.set(path, entry)
    const sync = async () => {
      this.#operate()
      if (isFile) entry.synced = entry.length
      else this.#renames = this.#renames.filter(({ to }) => dirname(to) !== path)
    }
    return {
      write: async (bytes, offset, length) => {
        // The write during which the power goes may still leave some of its bytes.
        const taken = this.#left === 0 ? Math.floor(this.#random() * length) : length
        const result = await file.write(bytes, offset, taken)
        entry.length += result.bytesWritten
        this.#operate()
        return result
      },
      sync,
      datasync: sync,
      truncate: async (length) => {
        this.#operate()
        await file.truncate(length)
        entry.length = length
      },
      close: () => file.close(),
    }
  }

  async rename(from: string, to: string): Promise<void> {
    this.#operate()
    await realDisk.rename(from, to)
    const entry = this.#files.get(from)
    if (entry === undefined) return
    entry.path = to
    this.#renames.push({ from, to })
  }

  rm(path: string, options: { force: true }): Promise<void> {
    return realDisk.rm(path, options)
  }

  /** Leaves the folder as the next start may find it. */
  async cutPower(): Promise<void> {
    this.#left = -1
    for (const { path, synced, length } of this.#files.values()) {
      const isThere = await stat(path).catch(() => undefined)
      if (isThere && length > synced)
        await truncate(path, synced + Math.floor(this.#random() * (length - synced + 1)))
    }
    for (const { from, to } of this.#renames.toReversed())
      if (this.#random() < 0.5) await rename(to, from)
  }

  #operate(): void {
    if (this.#left-- <= 0) {
      this.#left = -1
      throw Object.assign(new Error('The power is off'), { code: 'EIO' })
    }
  }

  #random(): number {
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0
    return this.seed / 2 ** 32
  }
}
