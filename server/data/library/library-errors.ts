import { errorCode } from '../../core/durable-file'

/** A write or sync failed, or the library was closed: reads work, changes do not. */
export class LibraryReadOnlyError extends Error {
  override readonly name = 'LibraryReadOnlyError'

  constructor(
    message: string,
    cause?: unknown,
    /**
     * The error code of the disk, such as `ENOSPC` or `EIO`; `EROFS` if it was not the disk;
     * `READ_ONLY_HOST`.
     */
    readonly code: string = errorCode(cause) ?? 'EROFS',
  ) {
    super(message, { cause })
  }
}

/** The disk reported that it is full before a sync, so its content is known. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'

  constructor(
    readonly code: string,
    cause: unknown,
  ) {
    super('The disk of the data folder is full: free some space', { cause })
  }
}

/** A library file is damaged. Nothing was changed. */
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

/** Two Slipways wrote to the library: a log begins before the end of the earlier logs. */
export class LibraryForkedError extends LibraryDamagedError {
  constructor(
    file: string,
    readonly generation: number,
    readonly first: number,
    last: number,
  ) {
    const what = `continues with transaction ${first} after ${last}, because two hosts wrote to it`
    super(file, what, 'run `slipway mend`, which keeps the longer branch and shows what it drops')
  }
}

/** A newer Slipway wrote the library; this version could lose data. */
export class LibraryTooNewError extends Error {
  override readonly name = 'LibraryTooNewError'

  constructor(
    readonly file: string,
    readonly schema: number,
    /** The folder with the library from before that version migrated it. */
    copy?: string,
  ) {
    super(
      `The library was written by a newer Slipway (${file} has schema ${schema}). Install ` +
        'that version to open it' +
        (copy === undefined
          ? '.'
          : `, or put back ${copy}, the library from before that update; what has changed since ` +
            'is lost then.'),
    )
  }
}
