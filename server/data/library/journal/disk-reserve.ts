import { randomBytes } from 'node:crypto'
import { rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CREATE_NEW, unlessMissing, writeAll, type Disk } from '../../../core/durable-file'
import type { Op } from '../library-data'
import { LibraryReadOnlyError, NoRoomError } from '../library-errors'
import { RESERVE } from './library-files'

const randomBytesOf = promisify(randomBytes)

const RESERVE_BYTES = 4 * 1024 * 1024
/** What a full disk gets of it at a time: room for hundreds of deletes. */
const PART_BYTES = 512 * 1024
/** Free space without which the library would soon stop again. */
const ROOM_BYTES = 4 * 1024 * 1024

/**
 * A file of 4 MB in the data folder. It shrinks when the disk is full, so that people can still
 * sign in and delete, and is made again when there is room. It shrinks by parts, because the
 * program that filled the disk may take the space of the first ones.
 */
export class DiskReserve {
  readonly #path: string

  constructor(
    private readonly dir: string,
    private readonly disk: Disk,
  ) {
    this.#path = join(dir, RESERVE)
  }

  /** Frees a part of the reserve. Returns false if none is left. */
  async giveUp(): Promise<boolean> {
    const size = (await unlessMissing(stat(this.#path)))?.size
    if (size === undefined) return false

    if (size <= PART_BYTES) {
      await this.disk.rm(this.#path, { force: true })
      return true
    }
    const file = await this.disk.open(this.#path, 'r+')
    try {
      await file.truncate(size - PART_BYTES)
    } finally {
      await file.close()
    }
    return true
  }

  /** Whether a part was freed, and the disk has no room for it yet. */
  async isUsed(): Promise<boolean> {
    const size = (await unlessMissing(stat(this.#path)))?.size
    return size !== RESERVE_BYTES && !(await this.#hasRoom())
  }

  /**
   * Makes it whole. Returns false where the disk has no room for it and some changes. On failure,
   * the part that was left stays: with none, nobody could sign in and delete.
   */
  async make(): Promise<boolean> {
    const size = (await unlessMissing(stat(this.#path)))?.size
    if (size === RESERVE_BYTES) return true
    if (!(await this.#hasRoom())) return false

    const left = size !== undefined && size < RESERVE_BYTES ? size : 0
    if (left === 0) await this.disk.rm(this.#path, { force: true })
    const file = await this.disk.open(this.#path, left === 0 ? CREATE_NEW : 'a', 0o600)
    try {
      // Random, because some file systems compress.
      await writeAll(file, await randomBytesOf(RESERVE_BYTES - left))
      await file.sync()
    } catch (error) {
      await (left === 0 ? rm(this.#path, { force: true }) : file.truncate(left))
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

/** What a sign-in changes. */
const SIGN_IN: readonly string[] = ['sessions', 'factors', 'identities', 'usedTokens']

/**
 * Whether a change frees bytes or is a sign-in with its factor, which must precede it. A sign-in
 * may queue the notice that tells its person.
 */
export function makesRoom(ops: readonly Op[]): boolean {
  if (ops.some(([kind]) => kind === 'delete')) return true
  const [notices, others] = [ops.filter(isNotice), ops.filter((op) => !isNotice(op))]
  const areSignIn = others.every(([kind, name]) => kind === 'counter' || SIGN_IN.includes(name))
  return areSignIn && (others.length > 0 || notices.length === 0)
}

const isNotice = ([kind, name]: Op): boolean => kind === 'put' && name === 'notices'
