import { join } from 'node:path'
import { logLevels, type Log, type LogLevel } from './log'
import { DataDirLockedError } from '../errors'
import { redactField } from './redact'
import { RotatingFile } from './rotating-file'

/** The log folder in a data folder. */
export const logDir = (dataDir: string): string => join(dataDir, 'logs')

interface Keeping {
  dataDir: string
  level: LogLevel
  /** Name of this host: a folder of its own in `logs/`. */
  host?: string | undefined
}

/**
 * The log of a real host: JSON lines without secrets, on stderr and, after `keep`, in the data
 * folder.
 */
export class HostLog implements Log {
  #level: LogLevel = 'info'
  #file: RotatingFile | undefined

  constructor(
    private readonly console: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
  ) {}

  /** Also writes lines to `logs/` of the data folder from now on, and drops lines below `level`. */
  keep({ dataDir, level, host = '' }: Keeping): void {
    this.#file?.close()
    this.#level = level
    this.#file = new RotatingFile({ dir: join(logDir(dataDir), host) })
  }

  get isDebug(): boolean {
    return this.#tells('debug')
  }

  debug = (fields: object, message: string) => this.#tell('debug', fields, message)
  info = (fields: object, message: string) => this.#tell('info', fields, message)
  warn = (fields: object, message: string) => this.#tell('warn', fields, message)
  error = (fields: object, message: string) => this.#tell('error', fields, message)

  /** Writes to the files only: for events that are also shown in other words. */
  record(level: LogLevel, fields: object, message: string): void {
    if (this.#tells(level)) this.#file?.append(asLine(level, fields, message))
  }

  /** Writes a failure to the files only. Does not touch a folder that another Slipway holds. */
  recordFailure(what: string, error: unknown): void {
    if (!(error instanceof DataDirLockedError)) this.record('error', { err: error }, what)
  }

  #tell(level: LogLevel, fields: object, message: string): void {
    if (!this.#tells(level)) return
    const line = asLine(level, fields, message)
    this.console(line)
    this.#file?.append(line)
  }

  #tells(level: LogLevel): boolean {
    return logLevels.indexOf(level) <= logLevels.indexOf(this.#level)
  }
}

/** Serializes an entry. Keeps the other fields if one cannot be serialized. */
function asLine(level: LogLevel, fields: object, message: string): string {
  const entry = { time: new Date().toISOString(), level, message }
  try {
    return JSON.stringify({ ...entry, ...fields }, redactField)
  } catch {
    return JSON.stringify({ ...entry, note: 'its fields cannot be serialized' }, redactField)
  }
}
