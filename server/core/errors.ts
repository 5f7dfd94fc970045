import { errorStatus, type ErrorCode, type Problem } from '../contract'

/** An error for the caller. Any other thrown error is a bug and becomes `internal`. */
export class AppError extends Error {
  override readonly name = 'AppError'

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly field?: string,
    /** Response headers of the error, such as `Retry-After`. */
    readonly headers: Readonly<Record<string, string>> = {},
    /** A valid value for the field, if there is one. */
    readonly suggestion?: string | number,
    /** What a sign-in needs to continue. */
    readonly next: Pick<Problem, 'sign_in_ticket' | 'factors'> = {},
  ) {
    super(message)
  }

  get status(): number {
    return errorStatus[this.code]
  }

  toProblem(): Problem {
    const { code, message, field, suggestion } = this
    const about = {
      ...(field === undefined ? {} : { field }),
      ...(suggestion === undefined ? {} : { suggestion }),
    }
    return { success: false, error: message, code, ...about, ...this.next }
  }
}

export const diskFull = (disk = 'The disk of this host'): AppError =>
  new AppError(
    'disk_full',
    `${disk} is full, so nothing was saved. Try again when the host has freed some space`,
  )
export const notFound = (what: string): AppError => new AppError('not_found', `${what} not found`)
export const forbidden = (what: string): AppError =>
  new AppError('forbidden', `You may not ${what}`)

/** The stored bytes of a file differ from the upload. */
export const fileDamaged = (name: string): AppError =>
  new AppError(
    'file_damaged',
    `“${name}” is damaged on this host, so it is not sent. ` +
      'The person who published it can upload it again',
  )

/** Returns an error with `Retry-After`, in seconds. */
export const retryLater = (code: ErrorCode, message: string, seconds: number): AppError =>
  new AppError(code, message, undefined, { 'Retry-After': String(seconds) })

/** The client disconnected, or its connection was cut. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'

  constructor() {
    super('The connection was lost during a response')
  }
}

/** Another process holds the data folder. */
export class DataDirLockedError extends Error {
  override readonly name = 'DataDirLockedError'

  constructor(
    readonly dir: string,
    by: string,
  ) {
    super(`The data folder ${dir} is in use by another Slipway (${by})`)
  }
}

/** The code of errors by which a change was refused because the disk of PostgreSQL is full. */
export const DATABASE_FULL = 'DATABASE_FULL'

/**
 * The code of errors by which a replica of a cluster refuses to save something: its primary can.
 */
export const READ_ONLY_HOST = 'READ_ONLY_HOST'

/** This host only reads: another one of its cluster is the primary. */
export class ReadOnlyHostError extends Error {
  override readonly name = 'ReadOnlyHostError'
  readonly code = READ_ONLY_HOST

  constructor() {
    super('This host only reads: the primary of its cluster makes changes')
  }
}
