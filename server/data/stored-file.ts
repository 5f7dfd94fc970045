import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'
import type { z } from 'zod'
import { Serial } from '../core/serial'
import { errorCode, realDisk, replaceFile, syncDir, type Disk } from '../core/durable-file'

interface Options<T> {
  /** Advice for the error that refuses a damaged file; or returns what such a file counts as. */
  onDamage: string | ((cause: Error, text: string) => T | null)
  disk?: Disk | undefined
}

/**
 * A small JSON file, checked by its schema and replaced atomically. Only its owner can read it.
 * `new Low(file, default)` of lowdb keeps what it has in memory, too.
 */
export class StoredFile<T> implements Adapter<T> {
  readonly #changes = new Serial()

  constructor(
    private readonly schema: z.ZodType<T>,
    readonly path: string,
    private readonly options: Options<T>,
  ) {}

  /**
   * Returns null if there is no file. Throws if it cannot be read, or if `onDamage` rejects it.
   */
  async read(): Promise<T | null> {
    const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null
      throw error
    })
    if (text === null) return null
    try {
      return this.schema.parse(JSON.parse(text))
    } catch (cause) {
      return this.#readDamaged(cause as Error, text)
    }
  }

  /** Resolves once the value is on disk, after earlier changes. */
  write(value: T): Promise<void> {
    const text = `${JSON.stringify(value, null, 2)}\n`
    return this.#changes.run(() => replaceFile(this.path, text, this.options.disk))
  }

  /** Deletes the file after earlier changes. */
  remove(): Promise<void> {
    const { disk = realDisk } = this.options
    return this.#changes.run(async () => {
      await disk.rm(this.path, { force: true })
      await syncDir(dirname(this.path), disk)
    })
  }

  #readDamaged(cause: Error, text: string): T | null {
    const { onDamage } = this.options
    if (typeof onDamage === 'function') return onDamage(cause, text)
    // Without its cause, which would quote the file: it may hold secrets, and errors are logged.
    throw new Error(`${this.path} is damaged. ${onDamage}`)
  }
}
