import { randomBytes } from 'node:crypto'
import { access, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CREATE_NEW, unlessMissing, writeAll, type Disk } from '../../../core/durable-file'
import type { Op } from '../library-data'
import { LibraryReadOnlyError, NoRoomError } from '../library-errors'
import { RESERVE } from './library-files'

const randomBytesOf = promisify(randomBytes)

const RESERVE_BYTES = 4 * 1024 * 1024
/** Free space without which the library would soon stop again. */
const ROOM_BYTES = 4 * 1024 * 1024

/**
 * A file of 4 MB in the data folder. It is deleted when the disk is full, so that people can still
 * sign in and delete, and made again when there is room.
 */
export class DiskReserve {
  readonly #path: string

  constructor(
    private readonly dir: string,
    private readonly disk: Disk,
  ) {
    this.#path = join(dir, RESERVE)
  }

  /** Deletes the reserve. Returns false if there is none. */
  async giveUp(): Promise<boolean> {
    if ((await unlessMissing(access(this.#path).then(() => true))) === undefined) return false
    await this.disk.rm(this.#path, { force: true })
    return true
  }

  /** Whether it was deleted, and the disk has no room for it yet. */
  async isUsed(): Promise<boolean> {
    const size = (await unlessMissing(stat(this.#path)))?.size
    return size !== RESERVE_BYTES && !(await this.#hasRoom())
  }

  /**
   * Makes it unless it exists. Returns false where the disk has no room for it and some changes.
   */
  async make(): Promise<boolean> {
    const size = (await unlessMissing(stat(this.#path)))?.size
    if (size === RESERVE_BYTES) return true
    if (!(await this.#hasRoom())) return false

    await this.disk.rm(this.#path, { force: true })
    const file = await this.disk.open(this.#path, CREATE_NEW, 0o600)
    try {
      // Random, because some file systems compress.
      await writeAll(file, await randomBytesOf(RESERVE_BYTES))
      await file.sync()
    } catch (error) {
      await rm(this.#path, { force: true })
      throw error
    } finally {
      await file.close()
    }

    return true
  }

  async #hasRoom(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.dir)
    return bavail * bsize >= RESERVE_BYTES + ROOM_BYTES
  }
}

/** The refusal of most changes while the library runs on its reserve. */
export const almostFull = (): LibraryReadOnlyError =>
  new LibraryReadOnlyError(
    'The disk of the data folder is almost full',
    new NoRoomError('ENOSPC', undefined),
  )

/** Whether a change frees bytes or is a sign-in with its factor, which must precede it. */
export function makesRoom(ops: readonly Op[]): boolean {
  return (
    ops.some(([kind]) => kind === 'delete') ||
    ops.every(([kind, name]) => kind === 'counter' || name === 'sessions' || name === 'factors')
  )
}
