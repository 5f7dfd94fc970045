import { constants } from 'node:fs'
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, restrictMode } from '../../core/durable-file'
import { DAY_MS } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import { Serial } from '../../core/serial'
import { linesBackwards } from './lines-backwards'

/** The folder of the audit log within the data folder. */
export const AUDIT_DIR = 'audit'
const NAME = /^(\d{4}-\d\d-\d\d)\.jsonl$/

/** Returns the day of a log file, such as `2026-11-20`. Undefined for other names. */
export const dayOf = (name: string): string | undefined => NAME.exec(name)?.[1]

/** Lines within this time share one write and one sync, in ms. */
const GATHER_MS = 250
/** How long to wait after a disk failure before retrying, in ms. */
const RETRY_MS = 5000
/** The maximum number of lines that wait for a failing disk; the oldest are dropped. */
const MAX_WAITING = 1000

interface DayLogOptions {
  dir: string
  log: Log
  now: () => Date
  keepDays: number
  /** The maximum size of one day's file, in bytes. */
  dayBytes: number
  /** Throws if another folder replaced this one, so that nothing is written there. */
  confirm?: () => Promise<void>
  /** Receives lines once they are on disk. */
  onWritten?: ((lines: readonly DayLine[]) => void) | undefined
}

/** A line of a day, with its newline. */
export interface DayLine {
  /** `2026-11-20`. */
  day: string
  line: string
}

/** A stored line. */
export interface KeptLine {
  /** `2026-11-20.18233`: its day, and its offset in that day's file. */
  position: string
  text: string
}

/** An append-only log, one file per day. Asynchronous: a power cut may lose the last moment. */
export class DayLog {
  #waiting: DayLine[] = []
  readonly #writes = new Serial()
  #timer: NodeJS.Timeout | undefined
  #today = { day: '', bytes: 0, isFull: false }
  #failed = false

  private constructor(private readonly options: DayLogOptions) {}

  static async open(options: DayLogOptions): Promise<DayLog> {
    await mkdir(options.dir, { recursive: true, mode: 0o700 })
    await restrictMode(options.dir, 0o700)
    const log = new DayLog(options)
    const day = log.#day()
    const bytes = await stat(log.#path(day)).then(
      ({ size }) => size,
      () => 0,
    )
    log.#today = { day, bytes, isFull: false }
    return log
  }

  /** Adds a line. `share`: the part of a day's limit that such lines may fill; more are dropped. */
  add(text: string, share = 1): void {
    const day = this.#day()
    const line = `${text}\n`
    if (this.#today.day !== day) this.#today = { day, bytes: 0, isFull: false }
    const bytes = this.#today.bytes + Buffer.byteLength(line)
    if (bytes > this.options.dayBytes * share) return this.#reportFull()
    this.#today.bytes = bytes
    this.#waiting.push({ day, line })
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift()
    this.#writeIn(this.#failed ? RETRY_MS : GATHER_MS)
  }

  /**
   * Yields lines from the newest, or from the one before `position`. Returns damaged lines
   * unchanged.
   */
  async *newestFirst(position?: string): AsyncGenerator<KeptLine> {
    await this.settled()
    const [fromDay = '9999', offset] = position?.split('.') ?? []
    const days = (await this.#days()).filter((day) => day <= fromDay).reverse()
    for (const day of days) {
      const end = day === fromDay ? Number(offset) : undefined
      for await (const { at, text } of linesBackwards(this.#path(day), end))
        yield { position: `${day}.${at}`, text }
    }
  }

  async settled(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#writes.run(() => this.#write())
  }

  async sweep(now: Date): Promise<void> {
    const oldest = new Date(now.getTime() - this.options.keepDays * DAY_MS)
      .toISOString()
      .slice(0, 10)
    for (const day of await this.#days())
      if (day < oldest) await rm(this.#path(day), { force: true })
  }

  #day(): string {
    return this.options.now().toISOString().slice(0, 10)
  }

  #path(day: string): string {
    return join(this.options.dir, `${day}.jsonl`)
  }

  async #days(): Promise<string[]> {
    const names = await readdir(this.options.dir).catch(() => [])
    return names.flatMap((name) => dayOf(name) ?? []).sort()
  }

  #writeIn(ms: number): void {
    this.#timer ??= setTimeout(() => void this.settled(), ms).unref()
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const day = this.#waiting[0]?.day ?? ''
      const lines = this.#waiting.filter((waiting) => waiting.day === day)
      this.#waiting = this.#waiting.filter((waiting) => waiting.day !== day)

      const written = { lines: 0 }
      try {
        await this.options.confirm?.()
        await appendLines(
          this.#path(day),
          lines.map(({ line }) => line),
          written,
        )
        this.#failed = false
      } catch (err) {
        this.#waiting = [...lines.slice(written.lines), ...this.#waiting].slice(-MAX_WAITING)
        if (!this.#failed)
          this.options.log.error({ err }, 'cannot write the log of the day; retrying')
        this.#failed = true
        return this.#writeIn(RETRY_MS)
      } finally {
        if (written.lines > 0) this.options.onWritten?.(lines.slice(0, written.lines))
      }
    }
  }

  #reportFull(): void {
    if (!this.#today.isFull)
      this.options.log.error(
        { day: this.#today.day },
        'the log of the day is full; dropping the rest of the day',
      )
    this.#today.isFull = true
  }
}

const APPEND = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW

/**
 * Appends lines, each with its newline, and flushes them. Counts the written ones, even if it
 * throws.
 */
async function appendLines(
  path: string,
  lines: readonly string[],
  written: { lines: number } = { lines: 0 },
): Promise<void> {
  const file = await open(path, APPEND, 0o600)
  try {
    const torn = (await endsTorn(file)) ? '\n' : ''
    const bytes = Buffer.from(torn + lines.join(''))

    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done)
      if (bytesWritten === 0)
        throw Object.assign(new Error('The disk accepted no more bytes'), { code: 'EIO' })
      done += bytesWritten
      written.lines = bytes.toString('utf8', torn.length, done).split('\n').length - 1
    }

    await file.datasync()
  } finally {
    await file.close()
  }
}

async function endsTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return false
  const last = Buffer.alloc(1)
  await file.read(last, 0, 1, size - 1)
  return last[0] !== 0x0a
}

/**
 * Appends one line from a process that does not own the log. Does nothing if the folder does not
 * exist.
 */
export async function addToDayLog(dir: string, now: Date, text: string): Promise<void> {
  const path = join(dir, `${now.toISOString().slice(0, 10)}.jsonl`)
  await appendLines(path, [`${text}\n`]).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
}
