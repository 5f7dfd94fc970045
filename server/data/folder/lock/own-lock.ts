import { closeSync, ftruncateSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { open, readdir, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbsent } from '../../../core/durable-file'
import { msSince, thisMoment } from '../../../core/clock'
import { Serial } from '../../../core/serial'
import { RELEASED, SHUT_DOWN, readLockText, type Holder } from './holder'

/** 'gone': another folder is at the path; 'taken': the folder has a newer lock. */
export type Hold = 'ours' | 'gone' | 'taken'

const NAME = /^slipway\.(\d{1,15})\.lock$/
/** Heartbeats keep the length of the text, to replace it in place. */
const FIRST_BEAT = 1_000_000_000

export const lockPath = (dir: string, number: number) => join(dir, `slipway.${number}.lock`)

/** The numbers of all locks in a folder, newest first. */
export async function listLockNumbers(dir: string): Promise<number[]> {
  const numbers = (await readdir(dir))
    .map((name) => Number(NAME.exec(name)?.[1] ?? 0))
    .filter((number) => number > 0)
  return numbers.sort((a, b) => b - a)
}

/** The JSON text of a lock at a heartbeat. */
export const lockText = (holder: Holder, beat: number) =>
  JSON.stringify({ ...holder, beat: FIRST_BEAT + beat })

interface Place {
  dir: string
  number: number
  holder: Holder
  /** How long a heartbeat must stop before another computer takes the folder, in ms. */
  silenceMs: number
}

/**
 * The lock file of this process. Its heartbeat shows other computers that the owner runs; it is
 * also checked, because another computer may take the folder while this process or its laptop
 * sleeps.
 */
export class OwnLock {
  #beats = 0
  /** The possible texts of the file: two after a failed write. */
  #texts: string[]
  #beatAt = thisMoment()
  /** A check must not run in the middle of a heartbeat. */
  readonly #turns = new Serial()
  #isBeating = false
  #isReleased = false
  readonly #timer: NodeJS.Timeout

  private constructor(
    private readonly place: Place,
    private readonly device: number,
  ) {
    this.#texts = [lockText(place.holder, 0)]
    this.#timer = setInterval(() => void this.#beatInTurn(), place.silenceMs / 6).unref()
  }

  /** Adopts a file just created with the text of beat 0. */
  static async of(place: Place): Promise<OwnLock> {
    return new OwnLock(place, (await stat(place.dir)).dev)
  }

  /** Throws errors that are not about the disk, such as too many open files. */
  look = (): Promise<Hold> => this.#turns.run(() => this.#look())

  /** Never creates a file: the disk may have disconnected, with another folder at the path. */
  async release(): Promise<void> {
    this.#isReleased = true
    clearInterval(this.#timer)
    await this.#turns.run(() =>
      this.#write(async (file) => {
        await file.truncate()
        await file.write(RELEASED, 0)
      }),
    )
  }

  /**
   * Synchronous, because the system ends this process when this returns. The process has the folder
   * until then. Best effort.
   */
  markShutDown(): void {
    if (this.#isReleased) return
    clearInterval(this.#timer)

    let file: number | undefined
    try {
      file = openSync(lockPath(this.place.dir, this.place.number), 'r+')
      ftruncateSync(file)
      writeSync(file, SHUT_DOWN, 0)
      fsyncSync(file)
      this.#texts = [SHUT_DOWN]
    } catch {
      // Its disk may be away already. The next start takes this for a crash.
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }

  async #look(): Promise<Hold> {
    const { dir, number, silenceMs } = this.place
    // After a gap, beat first: a process that takes the folder creates its lock and then checks our
    // beat again, so one of us sees the other.
    if (msSince(this.#beatAt) > silenceMs / 3) await this.#beat().catch(() => undefined)

    try {
      if ((await stat(dir)).dev !== this.device) return 'gone'
      const text = await readLockText(lockPath(dir, number)).catch(absentAs(undefined))
      // Check last: a suspended process may resume here after its lock was replaced.
      if ((await listLockNumbers(dir)).some((other) => other > number)) return 'taken'
      return text !== undefined && this.#texts.includes(text) ? 'ours' : 'gone'
    } catch (error) {
      if (isAbsent(error)) return 'gone'
      throw error
    }
  }

  /** The next beat makes up for a failed one. */
  async #beatInTurn(): Promise<void> {
    if (this.#isBeating) return
    this.#isBeating = true
    await this.#turns.run(() => this.#beat()).catch(() => undefined)
    this.#isBeating = false
  }

  async #beat(): Promise<void> {
    const begin = thisMoment()
    await this.#write(async (file) => {
      const text = await file.readFile('utf8')
      if (!this.#texts.includes(text) || text === SHUT_DOWN) return
      const next = lockText(this.place.holder, ++this.#beats)
      this.#texts = [text, next]
      await file.write(next, 0)
      this.#texts = [next]
      this.#beatAt = begin
    })
  }

  /** Closes the file each time, which makes a network file system write to its server. */
  async #write(work: (file: FileHandle) => Promise<void>): Promise<void> {
    const file = await open(lockPath(this.place.dir, this.place.number), 'r+')
    try {
      await work(file)
    } finally {
      await file.close()
    }
  }
}

const absentAs =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isAbsent(error)) return value
    throw error
  }
