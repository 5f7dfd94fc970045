import { errorCode } from '../durable-file'

/** A write or a sync failed, or the library was closed: what is there can be read, and nothing can be added. */
export class LibraryReadOnlyError extends Error {
  override readonly name = 'LibraryReadOnlyError'
  /** What the disk said: `ENOSPC`, `EIO` and so on; `EROFS` when it was not the disk. */
  readonly code: string

  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.code = errorCode(cause) ?? 'EROFS'
  }
}

/** The disk took no more, and said so before anything was to be synced: what is on disk is known. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'

  constructor(
    readonly code: string,
    cause: unknown,
  ) {
    super('The disk of the data folder is full: free some space', { cause })
  }
}

/** A file of the library is not what was written. Nothing was changed: somebody has to look at it first. */
export class LibraryDamagedError extends Error {
  override readonly name = 'LibraryDamagedError'

  constructor(
    readonly file: string,
    what: string,
    remedy = 'restore the data folder from a backup',
  ) {
    super(`The library cannot be opened: ${file} ${what}. No file was changed; ${remedy}.`)
  }
}

/** Two Slipways have written into the library: a log begins before the end of the logs before it. */
export class LibraryForkedError extends LibraryDamagedError {
  constructor(
    file: string,
    /** Of the log. */
    readonly generation: number,
    /** The first transaction of the log, and the last one before it. */
    readonly first: number,
    last: number,
  ) {
    const what = `continues with transaction ${first} after ${last}, because two hosts wrote to it`
    super(file, what, 'run `slipway mend`, which keeps the longer branch and shows what it drops')
  }
}

/** The library was written by a newer Slipway, which may keep things that this one would lose. */
export class LibraryTooNewError extends Error {
  override readonly name = 'LibraryTooNewError'

  constructor(
    readonly file: string,
    readonly schema: number,
  ) {
    super(`The library was written by a newer Slipway (${file} has schema ${schema}). Install that version to open it.`)
  }
}
