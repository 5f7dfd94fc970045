import type { Adapter } from 'lowdb'
import type { LibraryData, Op } from './library-data'
import type { LibraryReadOnlyError } from './library-errors'

/** Statistics of the replay. */
export interface ReadBack {
  changes: number
  /** Whether the last change was incomplete and removed. */
  cut: boolean
}

/**
 * Where changes become durable, and where the records are read from: the journal of a data folder,
 * or a database. `read` returns all records; `write` makes later reads faster.
 */
export interface CommitLog extends Adapter<LibraryData> {
  /**
   * Prepares the steps of a change, which memory does not show yet. Throws if they cannot be
   * stored. The returned function stores them: its promise resolves once they are durable, and
   * rejects after `undo` if they never will be.
   */
  prepare(ops: readonly Op[]): (undo: () => void) => Promise<void>
  /** Resolves once all changes so far are durable. */
  settled(): Promise<void>
  /** Why changes are refused. Undefined while they are accepted. */
  readonly refusal: LibraryReadOnlyError | undefined
  /** Whether `prepare` still accepts changes that free space on a full disk, and sign-ins. */
  readonly acceptsDeletes?: boolean
  /** Whether a change that failed on a full disk can be made now, on the space kept for it. */
  mayRetry?(ops: readonly Op[]): Promise<boolean>
  /** Resumes changes at once if a full disk has room again. */
  lookForRoom?(): Promise<void>
  /** Whether `write` is worth its cost now. */
  readonly isCheckpointDue: boolean
  readonly found: ReadBack
  /** Flushes all changes. Afterwards changes are refused. */
  close(): Promise<void>
}
