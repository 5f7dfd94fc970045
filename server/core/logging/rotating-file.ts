import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** The current file; older ones are `slipway.1.log`, `slipway.2.log` and so on. */
const LOG_NAME = 'slipway.log'

export interface RotatingFileOptions {
  dir: string
  /** Size in bytes after which the file rotates. */
  maxBytes?: number
  files?: number
}

/**
 * Writes lines to files of bounded size. `append` hands a line to the system before it returns, so
 * the line survives a crash of this process. `append` never throws: if the disk fails, lines are
 * dropped and counted, and the count is logged with the next line that succeeds.
 */
export class RotatingFile {
  readonly #options: Required<RotatingFileOptions>
  #fd: number | undefined
  #size = 0
  #dropped = 0
  /** A full disk may take half a line; start the next one on a new line. */
  #isTorn = false
  #isFolderMade = false

  constructor(options: RotatingFileOptions) {
    this.#options = { maxBytes: 2 * 1024 * 1024, files: 5, ...options }
  }

  /** Appends one line, given without its newline. */
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
    if (this.#size > 0 && this.#size + bytes.length > this.#options.maxBytes)
      this.#fd = this.#rotate()
    const written = writeSync(this.#fd, bytes)
    this.#size += written
    this.#isTorn = written < bytes.length
    if (this.#isTorn) throw new Error('The disk accepted only part of the line')
  }

  #open(): number {
    // Create the folder only once: if the disk disconnects, do not recreate it.
    if (!this.#isFolderMade) mkdirSync(this.#options.dir, { recursive: true, mode: 0o700 })
    this.#isFolderMade = true
    const fd = openSync(this.#path(0), 'a', 0o600)
    this.#size = fstatSync(fd).size
    return fd
  }

  /** Closes first, because Windows cannot rename an open file. */
  #rotate(): number {
    this.close()
    for (let older = this.#options.files - 1; older > 0; older--)
      moveIfThere(this.#path(older - 1), this.#path(older))
    this.#isTorn = false
    return this.#open()
  }

  #path(age: number): string {
    return join(this.#options.dir, age === 0 ? LOG_NAME : LOG_NAME.replace('.log', `.${age}.log`))
  }
}

const lostLine = (count: number) =>
  JSON.stringify({
    time: new Date().toISOString(),
    level: 'warn',
    message: 'log lines were lost',
    count,
  })

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
