import { GroupCommit, type Waiting } from '../group-commit'
import { LibraryReadOnlyError, NoRoomError } from '../library-errors'
import type { LogFile } from './log-file'
import { encodeLine } from './log-line'

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

/**
 * The queue before the log. The first failure is final: nothing more is accepted, and after a full
 * disk another journal continues the log.
 */
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
