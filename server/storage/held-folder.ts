import { constants } from 'node:fs'
import { rm } from 'node:fs/promises'
import { isAbsent, realDisk, type Disk, type DiskFile } from './durable-file'

/** The disk of the data is not there, or another one is in its place. */
class DiskGoneError extends Error {
  override readonly name = 'DiskGoneError'
  readonly code = 'ENODEV'

  constructor() {
    super('The disk with the data of this host is not connected')
  }
}

/**
 * The data folder, for as long as it is the one that this process has locked. Where its disk is pulled out while the
 * host runs, the path leads to an empty folder or to other data, and nothing is ever written there.
 */
export class HeldFolder {
  #isGone = false

  constructor(
    /** Whether the lock at the path is ours. */
    private readonly holds: () => Promise<boolean>,
    private readonly onGone: () => void = () => undefined,
  ) {}

  /** Whether it was not there at some look. It stays so: what is open since then may be lost, so a new start has to follow. */
  get isGone(): boolean {
    return this.#isGone
  }

  /** Looks now. */
  async isHeld(): Promise<boolean> {
    if (this.#isGone) return false
    if (await this.holds()) return true
    this.#lose()
    return false
  }

  /** What a failure comes from: DiskGoneError where the folder is not there any more, else itself. */
  async whyOf(cause: unknown): Promise<unknown> {
    if (!isAbsent(cause)) return cause
    return (await this.isHeld().catch(() => true)) ? cause : new DiskGoneError()
  }

  /** Throws DiskGoneError unless the folder is there. */
  async require(): Promise<void> {
    if (!(await this.isHeld())) throw new DiskGoneError()
  }

  /** The same for what is known without a look. */
  requireKnown(): void {
    if (this.#isGone) throw new DiskGoneError()
  }

  #lose(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.onGone()
  }
}

/** The disk of a folder, which refuses to write once that is gone, and leaves no file in what lies in its place. */
export function heldDisk(folder: HeldFolder): Disk {
  return {
    async open(path, flags, mode) {
      await folder.require()
      const file = await realDisk.open(path, flags, mode)
      const isMade = typeof flags === 'number' && (flags & constants.O_CREAT) !== 0
      if (!isMade || (await folder.isHeld())) return guarded(file, folder)
      await file.close()
      await rm(path, { force: true })
      throw new DiskGoneError()
    },
    async rename(from, to) {
      await folder.require()
      await realDisk.rename(from, to)
    },
  }
}

const guarded = (file: DiskFile, folder: HeldFolder): DiskFile => ({
  async write(bytes, offset, length) {
    folder.requireKnown()
    return file.write(bytes, offset, length)
  },
  truncate: (length) => file.truncate(length),
  sync: () => file.sync(),
  datasync: () => file.datasync(),
  close: () => file.close(),
})
