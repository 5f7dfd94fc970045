import { chmod, mkdir, open, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { DataDirLockedError } from '../../../core/errors'
import { errorCode } from '../../durable-file'
import {
  GRACE_MS,
  nameOf,
  readHolder,
  RELEASED,
  stateOf,
  textOf,
  type FoundHolder,
  type Holder,
  type Judge,
} from './holder'
import { takeOsLock, type OsLock } from './os-lock'
import { lockPath, lockText, numbersIn, OwnLock, type Hold } from './own-lock'
import { thisProcess, thisSpace } from './process-identity'

export interface DataDirLock {
  /** Whether the owner before us did not release it: it crashed, or the machine did. */
  wasAbandoned: boolean
  /** Whether that owner ran elsewhere and only fell silent: it may sleep, and wake up while we have the folder. */
  wasSilent: boolean
  /** Whose the folder at the path is now. Throws what says nothing of the disk. */
  look(): Promise<Hold>
  release(): Promise<void>
}

export interface LockOptions {
  /** How long the heartbeat of an owner elsewhere must stand still before the folder is taken, in ms; shorter for tests. */
  silenceMs?: number | undefined
  /** Hears, in words, what is waited for. */
  tell?: (text: string) => void
}

const SILENCE_MS = 30_000
/** How many times an owner elsewhere is looked at meanwhile. Looks count, not hours: we may sleep in between. */
const LOOKS = 30

/** Makes the data folder ours alone, also against a second Slipway that starts in the same moment. */
export async function lockDataDir(dir: string, options: LockOptions = {}): Promise<DataDirLock> {
  const { silenceMs = SILENCE_MS, tell = console.error } = options
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await chmod(dir, 0o700)
    const space = await thisSpace()
    const osLock = await osLockOf(dir, { space, osLock: undefined })
    try {
      return await new Acquiring(dir, { space, osLock }, { silenceMs, tell }).acquire()
    } catch (error) {
      osLock?.release()
      throw error
    }
  } catch (error) {
    if (error instanceof DataDirLockedError) throw error
    throw new Error(`Cannot write to the data folder ${dir}: ${(error as Error).message}`, { cause: error })
  }
}

/** Throws DataDirLockedError where another process has it. */
async function osLockOf(dir: string, judge: Judge): Promise<OsLock | undefined> {
  const end = performance.now() + GRACE_MS
  for (;;) {
    const osLock = await takeOsLock(dir)
    if (osLock !== 'busy') return osLock
    for (const number of await numbersIn(dir)) {
      const found = await readHolder(lockPath(dir, number))
      if (found === undefined || (await stateOf(found.holder, judge)) === 'dead') continue
      throw new DataDirLockedError(dir, nameOf(found.holder, judge.space))
    }
    // It has not written its name yet, or has just released the folder.
    if (performance.now() > end) throw new DataDirLockedError(dir, 'unknown process')
    await pause(20)
  }
}

/**
 * Locks are numbered, and the newest one counts. A lock is never deleted before there is a newer one, so nobody can
 * take away a lock that came into being after the look at it: of all who find the newest one abandoned, a single one
 * can create the next number, and whoever comes late finds a newer one than its own and steps back.
 */
class Acquiring {
  /** Texts of locks whose heartbeat stood still for long enough. */
  readonly #silent = new Set<string>()

  constructor(
    private readonly dir: string,
    private readonly judge: Judge,
    private readonly options: Required<LockOptions> & { silenceMs: number },
  ) {}

  async acquire(): Promise<DataDirLock> {
    const { dir, judge } = this
    const { space, osLock } = judge
    const since = new Date().toISOString()
    const holder: Holder = { ...(await thisProcess()), space, osLock: osLock?.id ?? null, since }
    for (;;) {
      const older = await numbersIn(dir)
      await this.#refuseWhereHeld(older)
      const number = (older[0] ?? 0) + 1
      const path = lockPath(dir, number)
      if (!(await create(path, lockText(holder, 0)))) continue
      const others = (await numbersIn(dir)).filter((other) => other !== number)
      if (others.some((other) => other > number) || (await this.#holderOf(others)) !== undefined) {
        await rm(path, { force: true })
        continue
      }
      const last = older[0] === undefined ? RELEASED : await textOf(lockPath(dir, older[0])).catch(() => RELEASED)
      const own = await OwnLock.of({ dir, number, holder, silenceMs: this.options.silenceMs })
      for (const other of others) await rm(lockPath(dir, other), { force: true })
      return {
        wasAbandoned: last !== RELEASED,
        wasSilent: this.#silent.size > 0,
        look: () => own.look(),
        async release() {
          // Where the disk is full, the lock looks abandoned once this process has ended; that does as well.
          await own.release().catch(() => undefined)
          osLock?.release()
        },
      }
    }
  }

  /** Returns once no other has the folder. Throws DataDirLockedError. */
  async #refuseWhereHeld(numbers: readonly number[]): Promise<void> {
    for (;;) {
      const found = await this.#holderOf(numbers)
      if (found === undefined) return
      const error = new DataDirLockedError(this.dir, nameOf(found.holder, this.judge.space))
      if (found.state === 'alive') throw error
      const seconds = Math.ceil(this.options.silenceMs / 1000)
      this.options.tell(`${error.message}. Waiting ${seconds} s to see whether it is still running.`)
      if (!(await this.#fellSilent(found))) throw error
    }
  }

  /** The first of these locks whose owner is not known to have ended. */
  async #holderOf(numbers: readonly number[]) {
    for (const number of numbers) {
      const path = lockPath(this.dir, number)
      const found = await readHolder(path)
      if (found === undefined || this.#silent.has(found.text)) continue
      const state = await stateOf(found.holder, this.judge)
      if (state !== 'dead') return { ...found, path, state }
    }
    return undefined
  }

  /** Waits as long as a heartbeat may stand still. False as soon as it moves; true also when the lock is released. */
  async #fellSilent({ path, text }: FoundHolder & { path: string }): Promise<boolean> {
    for (let look = 0; look < LOOKS; look++) {
      await pause(this.options.silenceMs / LOOKS)
      const now = await textOf(path).catch((error: unknown) => {
        if (errorCode(error) === 'ENOENT') return RELEASED
        throw error
      })
      if (now === RELEASED) return true
      // Half a text is one that is being written.
      if (now !== text && now !== '') return false
    }
    this.#silent.add(text)
    return true
  }
}

/** False where somebody was faster. */
async function create(path: string, text: string): Promise<boolean> {
  try {
    await using file = await open(path, 'wx', 0o600)
    await file.writeFile(text)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}
