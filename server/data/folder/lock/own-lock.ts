import { open, readdir, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbsent } from '../../durable-file'
import { msSince, thisMoment } from '../../../core/elapsed'
import { RELEASED, textOf, type Holder } from './holder'

/** 'gone': the folder at the path is not the one that was locked; 'taken': it is, and a newer lock lies in it. */
export type Hold = 'ours' | 'gone' | 'taken'

const NAME = /^slipway\.(\d{1,15})\.lock$/
/** A beat never changes the length of the text: it replaces it in place. */
const FIRST_BEAT = 1_000_000_000

export const lockPath = (dir: string, number: number) => join(dir, `slipway.${number}.lock`)

/** The numbers of all locks in a folder, newest first. */
export async function numbersIn(dir: string): Promise<number[]> {
  const numbers = (await readdir(dir)).map((name) => Number(NAME.exec(name)?.[1] ?? 0)).filter((number) => number > 0)
  return numbers.sort((a, b) => b - a)
}

/** The text of a lock at a beat, as JSON. */
export const lockText = (holder: Holder, beat: number) => JSON.stringify({ ...holder, beat: FIRST_BEAT + beat })

interface Place {
  dir: string
  number: number
  holder: Holder
  /** How long a heartbeat must have stood still before somebody elsewhere takes the folder, in ms. */
  silenceMs: number
}

/**
 * The lock file that this process has made. It beats, so that other machines see that its owner lives; and it is looked
 * at, as one of them may have taken the folder while this process, or its laptop, was asleep.
 */
export class OwnLock {
  #beats = 0
  /** What the file may hold: two texts after a write that has failed. */
  #texts: string[]
  #beatAt = thisMoment()
  #turn: Promise<unknown> = Promise.resolve()
  #isBeating = false
  readonly #timer: NodeJS.Timeout

  private constructor(
    private readonly place: Place,
    private readonly device: number,
  ) {
    this.#texts = [lockText(place.holder, 0)]
    this.#timer = setInterval(() => void this.#beatInTurn(), place.silenceMs / 6).unref()
  }

  /** Of a file that was just created with the text of beat 0. */
  static async of(place: Place): Promise<OwnLock> {
    return new OwnLock(place, (await stat(place.dir)).dev)
  }

  /** Throws what says nothing of the disk, such as too many open files. */
  look(): Promise<Hold> {
    return this.#inTurn(() => this.#look())
  }

  /** Never makes a file: the disk may have gone, and another folder be in its place. */
  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#inTurn(() =>
      this.#write(async (file) => {
        await file.truncate()
        await file.write(RELEASED, 0)
      }),
    )
  }

  async #look(): Promise<Hold> {
    const { dir, number, silenceMs } = this.place
    // After a gap the beat comes first: whoever takes the folder makes its lock and looks at our beat once more, so that
    // one of us sees the other.
    if (msSince(this.#beatAt) > silenceMs / 3) await this.#beat().catch(() => undefined)
    try {
      if ((await stat(dir)).dev !== this.device) return 'gone'
      const text = await textOf(lockPath(dir, number)).catch(absentAs(undefined))
      // Last, as a suspended process may go on here after its lock was replaced.
      if ((await numbersIn(dir)).some((other) => other > number)) return 'taken'
      return text !== undefined && this.#texts.includes(text) ? 'ours' : 'gone'
    } catch (error) {
      if (isAbsent(error)) return 'gone'
      throw error
    }
  }

  /** A failed beat is made good by the next one. */
  async #beatInTurn(): Promise<void> {
    if (this.#isBeating) return
    this.#isBeating = true
    await this.#inTurn(() => this.#beat()).catch(() => undefined)
    this.#isBeating = false
  }

  async #beat(): Promise<void> {
    const begin = thisMoment()
    await this.#write(async (file) => {
      const found = await file.readFile('utf8')
      if (!this.#texts.includes(found)) return
      const next = lockText(this.place.holder, ++this.#beats)
      this.#texts = [found, next]
      await file.write(next, 0)
      this.#texts = [next]
      this.#beatAt = begin
    })
  }

  /** Closes the file each time: only that makes a network file system tell its server. */
  async #write(work: (file: FileHandle) => Promise<void>): Promise<void> {
    const file = await open(lockPath(this.place.dir, this.place.number), 'r+')
    try {
      await work(file)
    } finally {
      await file.close()
    }
  }

  /** A look must not fall into the middle of a beat. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }
}

const absentAs =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isAbsent(error)) return value
    throw error
  }
