import { existsSync } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { DataDirLockedError } from '../../../core/errors'
import {
  errorCode,
  isAbsent,
  isFull,
  isReadOnlyDisk,
  makeFolders,
  restrictMode,
  unlessMissing,
} from '../../../core/durable-file'
import {
  GRACE_MS,
  describeHolder,
  readHolder,
  RELEASED,
  judgeHolder,
  readLockText,
  SHUT_DOWN,
  type FoundHolder,
  type Holder,
  type Judge,
} from './holder'
import { takeOsLock, type OsLock } from './os-lock'
import { lockPath, lockText, listLockNumbers, OwnLock, type Hold } from './own-lock'
import { thisProcess, thisSpace } from './process-identity'

/*
 * One owner per data folder
 *
 * Two files decide who has a data folder. `slipway.lock` is locked through the operating system
 * (`os-lock.ts`): the kernel drops that lock when its process ends, but some file systems offer
 * none. `slipway.N.lock` (`own-lock.ts`) contains the owner as JSON and a heartbeat, which other
 * computers and containers can read. The newest number counts.
 *
 * States of a numbered lock: created but still empty (for at most GRACE_MS), held with a moving
 * beat, stopped (the owner crashed, sleeps or hangs), marked as shut down, released.
 *
 * To acquire: take the operating system lock; refuse if an older numbered lock is held; create the
 * next number exclusively; look again; only then delete the older files. Each gap is covered:
 * - Two processes that start together cannot create the same number. The slower one finds a newer
 *   lock or a new owner when it looks again, removes its own file, and starts over.
 * - A lock is deleted only after a newer one exists, so a stale check never removes a newer lock.
 * - An owner that was only asleep may wake up at any point. We create our lock, then check its
 *   beat; it beats, then checks for a newer lock (`OwnLock.look`). So at least one sees the other.
 *
 * The state of an owner (`judgeHolder`): on the same computer and container, its process number
 * and start time decide. In another container of this boot, or after a reboot on a local disk, it
 * is dead if we now hold the operating system lock that it named. Anywhere else it counts as alive
 * until its beat stood still for LOOKS checks. After such a takeover the newest log is sealed
 * (`journal/seal.ts`), so late writes reach no library.
 *
 * One case differs: on a full or read-only disk there is no file. The operating system lock
 * suffices then, or nothing can be written.
 * See docs/decisions/0034-allow-one-owner-per-data-folder.md.
 */

export interface DataDirLock {
  /**
   * Whether the previous owner did not release it, after a crash of the process or the computer.
   */
  wasAbandoned: boolean
  /** Whether that happened because the system shut down. */
  wasShutDown: boolean
  /**
   * Whether that owner ran elsewhere and stopped its heartbeat: it may be asleep and wake up later.
   */
  wasSilent: boolean
  /**
   * Reads the current owner of the folder at the path. Throws errors that are not about the disk.
   */
  look(): Promise<Hold>
  /** Says in the lock, before it returns, that the system shuts down and ends this process. */
  markShutDown(): void
  release(): Promise<void>
}

export interface LockOptions {
  /**
   * How long the heartbeat of an owner on another computer must stop before we take the folder, in
   * ms. Shorter in tests.
   */
  silenceMs?: number | undefined
  tell?: (text: string) => void
}

const SILENCE_MS = 30_000
/**
 * Number of checks during that time. Counted instead of timed, because this computer may sleep in
 * between.
 */
const LOOKS = 30

/**
 * Locks the data folder, also against a Slipway that starts at the same moment. Throws
 * DataDirLockedError.
 */
export async function lockDataDir(dir: string, options: LockOptions = {}): Promise<DataDirLock> {
  const { silenceMs = SILENCE_MS, tell = console.error } = options
  try {
    await makeFolders(dir)
    await restrictMode(dir, 0o700)
    const space = await thisSpace()
    const osLock = await acquireOsLock(dir, { space, osLock: undefined })
    try {
      return await new Acquiring(dir, { space, osLock }, { silenceMs, tell }).acquire()
    } catch (error) {
      // No other process can have the folder then, so a full disk does not keep the host from
      // serving.
      if (isFull(error) && osLock?.isLocal === true) return await withoutFile(dir, osLock)
      osLock?.release()
      throw error
    }
  } catch (error) {
    if (error instanceof DataDirLockedError) throw error
    // Nothing can be written there, so there is nothing to lock.
    if (isReadOnlyDisk(error) && existsSync(dir)) return await withoutFile(dir, undefined)
    throw new Error(`Cannot write to the data folder ${dir}: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** The lock of a folder whose disk has no room for the file that names its owner. */
async function withoutFile(dir: string, osLock: OsLock | undefined): Promise<DataDirLock> {
  const [newest = 0] = await listLockNumbers(dir)
  const { dev } = await stat(dir)

  const look = async (): Promise<Hold> => {
    try {
      if ((await stat(dir)).dev !== dev) return 'gone'
      return ((await listLockNumbers(dir))[0] ?? 0) > newest ? 'taken' : 'ours'
    } catch (error) {
      if (isAbsent(error)) return 'gone'
      throw error
    }
  }

  const release = () => Promise.resolve(osLock?.release())
  return {
    wasAbandoned: false,
    wasShutDown: false,
    wasSilent: false,
    look,
    markShutDown: () => undefined,
    release,
  }
}

/** Throws DataDirLockedError if another process holds it. */
async function acquireOsLock(dir: string, judge: Judge): Promise<OsLock | undefined> {
  const end = performance.now() + GRACE_MS
  for (;;) {
    const osLock = await takeOsLock(dir)
    if (osLock !== 'busy') return osLock

    for (const number of await listLockNumbers(dir)) {
      const lock = await readHolder(lockPath(dir, number))
      if (lock === undefined || (await judgeHolder(lock.holder, judge)) === 'dead') continue
      throw new DataDirLockedError(dir, describeHolder(lock.holder, judge.space))
    }

    // The holder has not written its name yet, or has just released the folder.
    if (performance.now() > end) throw new DataDirLockedError(dir, 'unknown process')
    await pause(20)
  }
}

/**
 * Locks are numbered, and the newest one counts. A lock is deleted only when a newer one exists, so
 * a stale check cannot remove a newer lock: of all processes that find the newest lock abandoned,
 * one can create the next number, and the others see a newer lock than their own and give up.
 */
class Acquiring {
  readonly #silent = new Set<string>()

  constructor(
    private readonly dir: string,
    private readonly judge: Judge,
    private readonly options: { silenceMs: number; tell: (text: string) => void },
  ) {}

  async acquire(): Promise<DataDirLock> {
    const { dir, judge } = this
    const { silenceMs } = this.options
    const { space, osLock } = judge
    const since = new Date().toISOString()

    const holder: Holder = { ...(await thisProcess()), space, osLock: osLock?.id ?? null, since }
    for (;;) {
      const older = await listLockNumbers(dir)
      await this.#refuseWhereHeld(older)
      const number = (older[0] ?? 0) + 1
      const path = lockPath(dir, number)
      if (!(await create(path, lockText(holder, 0)))) continue

      const others = (await listLockNumbers(dir)).filter((other) => other !== number)
      const isOutrun = others.some((other) => other > number)
      if (isOutrun || (await this.#findHolder(others)) !== undefined) {
        await rm(path, { force: true })
        continue
      }
      const last =
        older[0] === undefined
          ? RELEASED
          : await readLockText(lockPath(dir, older[0])).catch(() => RELEASED)
      const own = await OwnLock.of({ dir, number, holder, silenceMs })

      for (const other of others) await rm(lockPath(dir, other), { force: true })
      return {
        wasAbandoned: last !== RELEASED,
        wasShutDown: last === SHUT_DOWN,
        wasSilent: this.#silent.size > 0,
        look: own.look,
        markShutDown: () => own.markShutDown(),
        async release() {
          // If the disk is full, the lock looks abandoned after this process ends, which is fine.
          await own.release().catch(() => undefined)
          osLock?.release()
        },
      }
    }
  }

  /** Returns once no other process holds the folder. Throws DataDirLockedError. */
  async #refuseWhereHeld(numbers: readonly number[]): Promise<void> {
    for (;;) {
      const lock = await this.#findHolder(numbers)
      if (lock === undefined) return

      const error = new DataDirLockedError(this.dir, describeHolder(lock.holder, this.judge.space))
      if (lock.state === 'alive') throw error
      const seconds = Math.ceil(this.options.silenceMs / 1000)
      this.options.tell(
        `${error.message}. Waiting ${seconds} s to see whether it is still running.`,
      )
      if (!(await this.#fellSilent(lock))) throw error
    }
  }

  async #findHolder(numbers: readonly number[]) {
    for (const number of numbers) {
      const path = lockPath(this.dir, number)
      const lock = await readHolder(path)
      if (lock === undefined || this.#silent.has(lock.text)) continue
      const state = await judgeHolder(lock.holder, this.judge)
      if (state !== 'dead') return { ...lock, path, state }
    }
    return undefined
  }

  /**
   * Waits for the silence period. False when the heartbeat moves; true if it stopped or was
   * released.
   */
  async #fellSilent({ path, text }: FoundHolder & { path: string }): Promise<boolean> {
    for (let look = 0; look < LOOKS; look++) {
      await pause(this.options.silenceMs / LOOKS)
      const now = (await unlessMissing(readLockText(path))) ?? RELEASED
      if (now === RELEASED || now === SHUT_DOWN) return true
      // An empty text is being written.
      if (now !== text && now !== '') return false
    }
    this.#silent.add(text)
    return true
  }
}

async function create(path: string, text: string): Promise<boolean> {
  try {
    await using file = await open(path, 'wx', 0o600)
    await file.writeFile(text)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    if (isFull(error)) await rm(path, { force: true })
    throw error
  }
}
