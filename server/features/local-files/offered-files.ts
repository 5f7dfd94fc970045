import { randomBytes } from 'node:crypto'
import { notFound } from '../../core/errors'
import type { LocalFile } from './local-file'

/** More than anybody drops at once; the oldest makes room. */
const MOST = 10_000

export type OfferedFile = Pick<LocalFile, 'path'> & Required<Pick<LocalFile, 'seen'>>

/**
 * Files of this machine that a person has dropped on the app window, chosen in it, or opened with it. A page knows them
 * by random ids, each good for one publication: whatever runs in a page, it cannot name a path.
 */
export class OfferedFiles {
  readonly #files = new Map<string, OfferedFile>()

  /** Answers the id that a page may publish it by. */
  offer(file: OfferedFile): string {
    const [oldest] = this.#files.keys()
    if (this.#files.size >= MOST && oldest !== undefined) this.#files.delete(oldest)
    const id = randomBytes(24).toString('base64url')
    this.#files.set(id, file)
    return id
  }

  /** Uses an offer up while `publish` runs; what could not be published can be tried again. Throws `not_found`. */
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
