import { randomBytes } from 'node:crypto'
import { notFound } from '../../core/errors'
import type { LocalFile } from './local-file'

/** More than one drop contains; the oldest is evicted. */
const MOST = 10_000

export type OfferedFile = Pick<LocalFile, 'path'> & Required<Pick<LocalFile, 'snapshot'>>

/**
 * Local files that a person dropped, chose or opened in the app. Pages know them by random ids for
 * one publication, so that no script can name a path.
 */
export class OfferedFiles {
  readonly #files = new Map<string, OfferedFile>()

  offer(file: OfferedFile): string {
    const [oldest] = this.#files.keys()
    if (this.#files.size >= MOST && oldest !== undefined) this.#files.delete(oldest)
    const id = randomBytes(24).toString('base64url')
    this.#files.set(id, file)
    return id
  }

  /** Uses an id while `publish` runs; restores it on failure. Throws `not_found`. */
  async use<T>(id: string, publish: (file: OfferedFile) => Promise<T>): Promise<T> {
    const file = this.#files.get(id)
    if (!file) throw notFound('File')
    this.#files.delete(id)
    try {
      return await publish(file)
    } catch (cause) {
      this.#files.set(id, file)
      throw cause
    }
  }
}
