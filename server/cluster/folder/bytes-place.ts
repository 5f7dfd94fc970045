import { mkdir } from 'node:fs/promises'
import { FolderCopy } from '../../data/folder/move/folder-copy'
import { lockDataDir, type DataDirLock } from '../../data/folder/lock/lock'
import { clusterMarkIn, requireBytes } from '../../data/library/cluster-mark'
import type { LibraryData } from '../../data/library/library-data'
import { isEmptyFolder } from './adopt-folder'

/** Where the bytes of a cluster are, if its hosts have data folders of their own. */
export interface BytesPlace {
  /** For people: a folder, or a bucket. */
  readonly words: string
  /** Takes it for the cluster that a library is about to join. Throws where other bytes are. */
  claim(id: string): Promise<void>
  /** Copies all bytes of a data folder to it, but for what an earlier run has copied. */
  takeFrom(dir: string): Promise<void>
  /** From now on it has the bytes of this cluster. */
  keep(id: string): Promise<void>
  /**
   * Copies all bytes of the cluster back into a data folder, in the same way. Throws where they are
   * not, or not those that the records promise.
   */
  giveTo(dir: string, id: string, data: LibraryData): Promise<void>
  /** The cluster has ended: what is left are copies. */
  forget(): Promise<void>
  /** Ends the work of this process with it. */
  close(): Promise<void>
}

/** A folder that all hosts mount. */
export class BytesFolder implements BytesPlace {
  #lock: DataDirLock | undefined

  constructor(readonly words: string) {}

  async claim(id: string): Promise<void> {
    await mkdir(this.words, { recursive: true, mode: 0o700 })
    await this.#hold()
    const mark = await clusterMarkIn(this.words).read()
    if (mark === undefined && !(await isEmptyFolder(this.words)))
      throw new Error(
        `${this.words} has other files. Give --blobs an empty folder that all hosts mount`,
      )
    if (mark !== undefined && mark.state !== 'joining' && mark.id !== id)
      throw new Error(
        `${this.words} has the bytes of another cluster. Give --blobs an empty folder`,
      )
    if (mark?.id !== id) await clusterMarkIn(this.words).write({ id, state: 'joining' })
  }

  takeFrom(dir: string): Promise<void> {
    return copyBytes(dir, this.words)
  }

  async keep(id: string): Promise<void> {
    await clusterMarkIn(this.words).write({ id, state: 'member' })
  }

  async giveTo(dir: string, id: string): Promise<void> {
    await requireBytes(this.words, id)
    await this.#hold()
    await copyBytes(this.words, dir)
  }

  forget(): Promise<void> {
    return clusterMarkIn(this.words).remove()
  }

  async close(): Promise<void> {
    const lock = this.#lock
    this.#lock = undefined
    await lock?.release()
  }

  async #hold(): Promise<void> {
    this.#lock ??= await lockDataDir(this.words)
  }
}

/**
 * Blobs and what belongs to them, the catalogue, and unfinished uploads; each is read again and
 * compared.
 */
async function copyBytes(from: string, to: string): Promise<void> {
  const { signal } = new AbortController()
  const copy = new FolderCopy({
    from,
    to,
    shares: true,
    resumes: true,
    signal,
    onProgress: () => undefined,
  })
  await copy.takeBytes()
  await copy.flush()
}
