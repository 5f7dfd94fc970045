import { constants } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { errorCode, isAbsent, realDisk, type Disk, type DiskFile } from '../durable-file'
import { msSince, thisMoment, type Moment } from '../../core/elapsed'
import type { Hold } from './lock/own-lock'

/** The data folder is not ours to write any more. */
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

/** A write is preceded and followed by a look at the lock unless the last look is younger, in ms. */
const FRESH_MS = 1000
/** How often to look again while there are no file handles to look with, in ms. */
const RETRY_MS = 100

/**
 * The data folder, for as long as it is the one that this process has locked. Where its disk is pulled out while the
 * host runs, the path leads to an empty folder or to other data; where this process slept for long on a network drive,
 * another machine may have the folder. Nothing is ever written there.
 */
export class HeldFolder {
  #lost: 'gone' | 'taken' | undefined
  #seen: Moment | undefined

  constructor(
    /** Whose the folder at the path is. */
    private readonly look: () => Promise<Hold>,
    private readonly onLost: (isTaken: boolean) => void = () => undefined,
  ) {}

  /** Whether it was not ours at some look. It stays so: what is open since then may be lost, so a new start has to follow. */
  get isGone(): boolean {
    return this.#lost !== undefined
  }

  /** Whether it is lost to another Slipway, and not with its disk. */
  get isTaken(): boolean {
    return this.#lost === 'taken'
  }

  /** Looks now. */
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

  /** What a failure comes from: FolderLostError where the folder is not ours any more, else itself. */
  async whyOf(cause: unknown): Promise<unknown> {
    if (!isAbsent(cause)) return cause
    return (await this.isHeld().catch(() => true)) ? cause : new FolderLostError(this.isTaken)
  }

  /** Throws FolderLostError unless the folder is ours. */
  async require(): Promise<void> {
    if (!(await this.isHeld())) throw new FolderLostError(this.isTaken)
  }

  /** The same, without a look where the last one is fresh. Waits while there are no file handles to look with. */
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

/** The disk of a folder, which refuses to write once that is lost, and leaves no file in what lies in its place. */
export function heldDisk(folder: HeldFolder): Disk {
  return {
    async open(path, flags, mode) {
      await folder.require()
      const file = await realDisk.open(path, flags, mode)
      const isMade = typeof flags === 'number' && (flags & constants.O_CREAT) !== 0
      if (!isMade || (await folder.isHeld())) return guarded(file, folder)
      await file.close()
      await rm(path, { force: true })
      throw new FolderLostError(folder.isTaken)
    },
    async rename(from, to) {
      await folder.require()
      await realDisk.rename(from, to)
    },
  }
}

const guarded = (file: DiskFile, folder: HeldFolder): DiskFile => ({
  async write(bytes, offset, length) {
    await folder.requireFresh()
    return file.write(bytes, offset, length)
  },
  async truncate(length) {
    // What another Slipway has read by now must not get shorter.
    if (folder.isTaken) throw new FolderLostError(true)
    await file.truncate(length)
  },
  async sync() {
    await file.sync()
    await folder.requireFresh()
  },
  // Nobody is told that something is kept which was written while the folder belonged to another Slipway.
  async datasync() {
    await file.datasync()
    await folder.requireFresh()
  },
  close: () => file.close(),
})
