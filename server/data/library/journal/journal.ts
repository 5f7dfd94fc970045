import { GroupCommit, type Waiting } from '../group-commit'
import { LibraryReadOnlyError, NoRoomError } from '../library-errors'
import type { LogFile } from './log-file'
import { encodeLine } from './log-line'

/*
 * Group commit in front of a log
 *
 * A change has already been applied to the records in memory when it arrives here, with a function
 * that undoes it. `append` gives it the next sequence number and queues its line. One run takes
 * all queued lines as a batch, writes them in one call, syncs once, and resolves their promises;
 * meanwhile the next batch collects. So many clients share a sync, and a promise resolves only
 * when its line is on disk.
 *
 * States: accepting, then possibly refusing. A journal never accepts again after a refusal:
 * `JournalAdapter` replaces it.
 *
 * A rotation to a new log is an entry of the queue that is stored alone. All lines before it are on
 * disk in the old log, the new log gets its first line and then its name, and later lines follow
 * it. A crash between these steps leaves the old log, or both, without a gap in the sequence.
 *
 * A failed write or sync is final, because the kernel may drop dirty pages and report success for
 * the next sync. The order then is:
 * 1. Refuse new entries, so that nothing is applied on top of records that will be undone.
 * 2. Undo the batch and all queued entries in memory, newest first.
 * 3. Cut the log back to its synced length, so that unsynced lines do not reappear at a restart,
 *    and give back their sequence numbers.
 * 4. Report the failure, then reject the promises.
 * Only a full disk that refused the write before any sync leaves a log with a known end. Then
 * `mayGoOn` is true, and a new journal may continue with the next log.
 *
 * Recovery relies on this: sequences have no gaps, and only the newest log can end in a partial
 * line. See docs/decisions/0002-write-a-journal-behind-lowdb.md.
 */

interface Rotation {
  log: LogFile
  begin: () => Promise<void>
}

interface Line {
  /** The line of a transaction; empty for one that only waits for earlier ones. */
  line: string
  next?: Rotation
}

const doNothing = () => undefined

/** Appends transactions to a log, several per sync. Refuses all changes after its first failure. */
export class Journal {
  readonly #commits = new GroupCommit<Line>({
    empty: { line: '' },
    take: countLines,
    store: (batch) => this.#store(batch),
    refuse: (cause) =>
      new LibraryReadOnlyError('The library is read-only because writing it failed', cause),
    onFailure: (cause, refused) => this.#cutBack(cause, refused),
  })
  #mayGoOn = false
  #isClosed = false

  constructor(
    private log: LogFile | undefined,
    private sequence: number,
    private readonly onFailure: (cause: unknown) => void,
  ) {}

  /** A journal without a log, because the disk is full or read-only. It refuses all changes. */
  static refusing(sequence: number, cause: unknown): Journal {
    const journal = new Journal(undefined, sequence, doNothing)
    const words = 'The library is read-only because its disk accepts no changes'
    journal.#commits.refuse(new LibraryReadOnlyError(words, cause))
    journal.#mayGoOn = cause instanceof NoRoomError
    return journal
  }

  /** Why changes are refused. Undefined while they are accepted. */
  get refusal(): LibraryReadOnlyError | undefined {
    return this.#commits.refusal
  }

  /**
   * Whether the failure was only a full disk. Then the end of the log is known, and another journal
   * may continue it.
   */
  mayGoOn(): boolean {
    return this.#mayGoOn
  }

  get lastSequence(): number {
    return this.sequence
  }

  get bytes(): number {
    return this.log?.bytes ?? 0
  }

  /** Appends one transaction, whose steps are already JSON. Resolves once it is on disk. */
  append(ops: string, undo: () => void): Promise<void> {
    return this.#commits.add({ line: encodeLine(++this.sequence, ops) }, undo)
  }

  /** Resolves once all transactions so far are on disk. */
  settled(): Promise<void> {
    return this.#commits.settled()
  }

  /**
   * Switches to `log`, which the caller closes on failure. Returns the last sequence of the older
   * logs.
   */
  async rotateTo(log: LogFile, generation: number, schema: number): Promise<number> {
    const last = this.sequence
    const first = ++this.sequence
    await this.#commits.add({
      line: '',
      next: { log, begin: () => log.begin(first, ['begin', generation, schema]) },
    })
    return last
  }

  async close(): Promise<void> {
    this.#mayGoOn = false
    this.#isClosed = true
    await this.#commits.close()
    await this.log?.close()
  }

  async #store(batch: readonly Line[]): Promise<void> {
    const next = batch[0]?.next
    if (next !== undefined) return this.#rotate(next)

    const lines = batch.map(({ line }) => line).join('')
    if (lines !== '') await this.log?.append(lines)
  }

  async #rotate({ log, begin }: Rotation): Promise<void> {
    await begin()
    await this.log?.close()
    this.log = log
  }

  async #cutBack(cause: unknown, refused: readonly Line[]): Promise<void> {
    const isFull = cause instanceof NoRoomError
    const isCut = await this.log?.cutBack(isFull)
    this.sequence -= refused.filter(({ line, next }) => line !== '' || next !== undefined).length
    this.#mayGoOn = isFull && isCut === true && !this.#isClosed
    this.onFailure(cause)
  }
}

/** All waiting lines up to the next rotation, which goes alone. */
function countLines(waiting: readonly Waiting<Line>[]): number {
  const rotation = waiting.findIndex(({ change }) => change.next !== undefined)
  return rotation < 0 ? waiting.length : Math.max(rotation, 1)
}
