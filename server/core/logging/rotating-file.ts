import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** The file that is written now; older ones are `slipway.1.log`, `slipway.2.log` and so on. */
const LOG_NAME = 'slipway.log'

export interface RotatingFileOptions {
  /** Folder of the files; it is made when the first line comes. */
  dir: string
  /** Bytes after which a new file begins. */
  maxBytes?: number
  /** How many files are kept, the newest included. */
  files?: number
}

/**
 * Lines in files of a bounded size. A line is handed to the system before `append` returns, so that it survives the
 * end of this process. `append` never throws: where the disk takes nothing, lines are dropped and counted, and the count
 * is told with the first line that can be kept again.
 */
export class RotatingFile {
  readonly #options: Required<RotatingFileOptions>
  #fd: number | undefined
  #size = 0
  #dropped = 0
  /** A full disk may take half a line; the next one then begins anew. */
  #isTorn = false
  #isFolderMade = false

  constructor(options: RotatingFileOptions) {
    this.#options = { maxBytes: 2 * 1024 * 1024, files: 5, ...options }
  }

  /** Adds one line, given without its end. */
  append(line: string): void {
    try {
      if (this.#dropped > 0) this.#write(lostLine(this.#dropped))
      this.#dropped = 0
      this.#write(line)
    } catch {
      this.#dropped++
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  #write(line: string): void {
    const bytes = Buffer.from(`${this.#isTorn ? '\n' : ''}${line}\n`)
    this.#fd ??= this.#open()
    if (this.#size > 0 && this.#size + bytes.length > this.#options.maxBytes) this.#fd = this.#rotate()
    const written = writeSync(this.#fd, bytes)
    this.#size += written
    this.#isTorn = written < bytes.length
    if (this.#isTorn) throw new Error('The disk accepted only part of the line')
  }

  #open(): number {
    // Only once: should the disk go away, no folder is made in its place.
    if (!this.#isFolderMade) mkdirSync(this.#options.dir, { recursive: true, mode: 0o700 })
    this.#isFolderMade = true
    const fd = openSync(this.#path(0), 'a', 0o600)
    this.#size = fstatSync(fd).size
    return fd
  }

  /** Closed first, because Windows renames no open file. */
  #rotate(): number {
    this.close()
    for (let older = this.#options.files - 1; older > 0; older--) moveIfThere(this.#path(older - 1), this.#path(older))
    this.#isTorn = false
    return this.#open()
  }

  #path(age: number): string {
    return join(this.#options.dir, age === 0 ? LOG_NAME : LOG_NAME.replace('.log', `.${age}.log`))
  }
}

const lostLine = (count: number) =>
  JSON.stringify({ time: new Date().toISOString(), level: 'warn', message: 'log lines were lost', count })

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
