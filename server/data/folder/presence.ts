import { constants } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Host } from '../../contract'
import { errorCode, isAbsent, realDisk, type Disk, type DiskFile } from '../../core/durable-file'
import { msSince, thisMoment, type Moment } from '../../core/clock'
import { DATABASE_FULL, READ_ONLY_HOST, ReadOnlyHostError } from '../../core/errors'
import type { Library } from '../library/library'
import type { Hold } from './lock/own-lock'

/** This process no longer holds the data folder. */
class FolderLostError extends Error {
  override readonly name = 'FolderLostError'
  readonly code = 'ENODEV'

  constructor(isTaken: boolean) {
    super(
      isTaken
        ? 'Another Slipway took over the data folder of this host'
        : 'The disk with the data of this host is not connected',
    )
  }
}

/** How long a check of the lock is valid, in ms; writes check before and after. */
const FRESH_MS = 1000
/** How long to wait for free file handles before checking again, in ms. */
const RETRY_MS = 100

/**
 * The data folder while this process holds its lock. If the disk disconnects, the path may lead to
 * an empty folder or other data; after a long sleep on a network drive, another computer may hold
 * the folder. Nothing is written there then.
 */
export class HeldFolder {
  #lost: 'gone' | 'taken' | undefined
  #seen: Moment | undefined

  /** `mayWrite`: false where another process makes changes. */
  constructor(
    private readonly look: () => Promise<Hold>,
    private readonly onLost: (isTaken: boolean) => void = () => undefined,
    private readonly mayWrite = true,
  ) {}

  /** Whether a check failed. Permanent: open files may be lost, so the host must restart. */
  get isGone(): boolean {
    return this.#lost !== undefined
  }

  /** Whether another Slipway took the folder, rather than its disk disconnecting. */
  get isTaken(): boolean {
    return this.#lost === 'taken'
  }

  async isHeld(): Promise<boolean> {
    if (this.#lost !== undefined) return false
    const now = thisMoment()
    const hold = await this.look()
    if (hold === 'ours') {
      this.#seen = now
      return true
    }
    this.#lose(hold)
    return false
  }

  /** The reason for a failure: FolderLostError if the folder is lost, else the cause itself. */
  async findCause(cause: unknown): Promise<unknown> {
    if (!isAbsent(cause)) return cause
    return (await this.isHeld().catch(() => true)) ? cause : new FolderLostError(this.isTaken)
  }

  /** Throws FolderLostError, and ReadOnlyHostError. */
  async require(): Promise<void> {
    if (!this.mayWrite) throw new ReadOnlyHostError()
    if (!(await this.isHeld())) throw new FolderLostError(this.isTaken)
  }

  /** Like `require`, but reuses a recent check. Waits while no file handles are free. */
  async requireFresh(): Promise<void> {
    if (this.#lost !== undefined) throw new FolderLostError(this.isTaken)
    while (this.#seen === undefined || msSince(this.#seen) > FRESH_MS) {
      try {
        return await this.require()
      } catch (error) {
        if (!['EMFILE', 'ENFILE'].includes(errorCode(error) ?? '')) throw error
        await pause(RETRY_MS)
      }
    }
  }

  #lose(to: 'gone' | 'taken'): void {
    if (this.#lost !== undefined) return
    this.#lost = to
    this.onLost(to === 'taken')
  }
}

/**
 * Why this host cannot save now. Returns null if it can. `elsewhere`: why the process that makes
 * changes cannot, if it is not this one.
 */
export function saveFailure(
  held: Pick<HeldFolder, 'isGone'>,
  library: Pick<Library, 'refusedFor'>,
  elsewhere: Host['trouble'] = null,
): Host['trouble'] {
  if (held.isGone) return 'missing'
  if (library.refusedFor === READ_ONLY_HOST) return elsewhere
  if (library.refusedFor === undefined) return null
  if (library.refusedFor === DATABASE_FULL) return 'database_full'
  return ['ENOSPC', 'EDQUOT'].includes(library.refusedFor) ? 'full' : 'failing'
}

/**
 * A disk that refuses to write after the folder is lost, and leaves no new file in its replacement.
 */
export function heldDisk(folder: HeldFolder): Disk {
  return {
    async open(path, flags, mode) {
      await folder.require()
      const file = await realDisk.open(path, flags, mode)

      const isMade = typeof flags === 'number' && (flags & constants.O_CREAT) !== 0
      if (!isMade || (await folder.isHeld())) return guardFile(file, folder)

      await file.close()
      await rm(path, { force: true })
      throw new FolderLostError(folder.isTaken)
    },
    async rename(from, to) {
      await folder.require()
      await realDisk.rename(from, to)
    },
    async rm(path, options) {
      await folder.require()
      await realDisk.rm(path, options)
    },
  }
}

const guardFile = (file: DiskFile, folder: HeldFolder): DiskFile => ({
  async write(bytes, offset, length) {
    await folder.requireFresh()
    return file.write(bytes, offset, length)
  },
  async truncate(length) {
    // Another Slipway may have read this file; it must not shrink.
    if (folder.isTaken) throw new FolderLostError(true)
    await file.truncate(length)
  },
  async sync() {
    await file.sync()
    await folder.requireFresh()
  },
  // Never acknowledge a write made while another Slipway held the folder.
  async datasync() {
    await file.datasync()
    await folder.requireFresh()
  },
  close: () => file.close(),
})
