import type { Log } from '../../core/logging/log'
import type { CommitLog } from '../library/commit-log'
import type { LibraryData, Op } from '../library/library-data'
import { GroupCommit, type Waiting } from '../library/group-commit'
import { LibraryReadOnlyError } from '../library/library-errors'
import { refusalOf } from './postgres-error'
import type { Rows } from './head'
import type { WriterLease } from './writer-lease'
import { LeaseLostError } from './lease-errors'
import { COUNTER } from './rows'

interface Options {
  lease: Pick<WriterLease, 'commit' | 'accepts'>
  /** Reads all records that were committed before the lease was taken. */
  read: () => Promise<LibraryData>
  log: Pick<Log, 'info' | 'error'>
  /** How often to try again after PostgreSQL refused a change, in ms. */
  retryMs?: number
}

/** A record after a change. `value`: JSON; null: it is deleted. */
interface Row {
  kind: string
  id: string
  value: string | null
}

/** The most changes and records in one commit; a change is never divided. */
const MOST_CHANGES = 512
const MOST_ROWS = 20_000
const RETRY_MS = 5000

/**
 * The commit log of the primary of a cluster: many clients share one commit. After a refusal nothing
 * is accepted until PostgreSQL accepts changes again.
 */
export class PostgresCommitLog implements CommitLog {
  readonly #commits = new GroupCommit<readonly Row[]>({
    empty: [],
    take: countChanges,
    store: (batch) => this.#store(batch),
    refuse: (cause) =>
      new LibraryReadOnlyError(
        'The library is read-only because PostgreSQL refused a change',
        cause instanceof LeaseLostError ? cause : refusalOf(cause),
      ),
    onFailure: (cause) => this.#onFailure(cause),
  })
  #isClosed = false
  readonly found = { changes: 0, cut: false }
  /** Rows are the snapshot. */
  readonly isCheckpointDue = false

  constructor(private readonly options: Options) {}

  get refusal(): LibraryReadOnlyError | undefined {
    return this.#commits.refusal
  }

  read(): Promise<LibraryData> {
    return this.options.read()
  }

  async write(): Promise<void> {}

  prepare(ops: readonly Op[]): (undo: () => void) => Promise<void> {
    const rows = ops.map(rowOf)
    return (undo) => this.#commits.add(rows, undo)
  }

  settled(): Promise<void> {
    return this.#commits.settled()
  }

  close(): Promise<void> {
    this.#isClosed = true
    return this.#commits.close()
  }

  async #store(batch: readonly (readonly Row[])[]): Promise<void> {
    const rows = merge(batch)
    if (rows.put.length + rows.deleted.length > 0) await this.options.lease.commit(rows)
  }

  #onFailure(cause: unknown): void {
    if (cause instanceof LeaseLostError) return

    this.options.log.error(
      { err: refusalOf(cause) },
      'PostgreSQL refuses changes; the library is read-only until it accepts them',
    )
    this.#tryAgain()
  }

  #tryAgain(): void {
    const look = async () => {
      if (this.#isClosed) return
      const accepts = await this.options.lease.accepts()
      this.#resume(accepts)
    }
    setTimeout(() => void look(), this.options.retryMs ?? RETRY_MS).unref()
  }

  #resume(accepts: boolean): void {
    if (this.#isClosed) return
    if (!accepts) return this.#tryAgain()

    this.#commits.accept()
    this.options.log.info({}, 'PostgreSQL accepts changes again')
  }
}

/** How many changes share the next commit. */
function countChanges(waiting: readonly Waiting<readonly Row[]>[]): number {
  let rows = 0
  let count = 0
  for (const { change } of waiting) {
    rows += change.length
    if (count > 0 && (count === MOST_CHANGES || rows > MOST_ROWS)) break
    count++
  }
  return count
}

/** Throws where PostgreSQL could not keep the id as it is. */
function rowOf(op: Op): Row {
  const [kind, id, value] =
    op[0] === 'counter' ? [COUNTER, op[1], op[2]] : [op[1], op[2], op[0] === 'put' ? op[3] : null]
  if (!id.isWellFormed() || id.includes('\0'))
    throw new RangeError(`A record of ${kind} has an id that is no text`)
  return { kind, id, value: value === null ? null : JSON.stringify(value) }
}

/** What changes leave: of a record that changes twice, the last state. */
function merge(batch: readonly (readonly Row[])[]): Rows {
  const last = new Map<string, Row>()
  const born = new Set<string>()

  for (const rows of batch) {
    for (const row of rows) {
      const key = `${row.kind} ${row.id}`
      // One that was deleted in between is a new one, behind the others.
      if (last.get(key)?.value === null) {
        last.delete(key)
        born.add(key)
      }
      last.set(key, row)
    }
  }

  const put: Rows['put'][number][] = []
  const deleted: Row[] = []
  for (const [key, { kind, id, value }] of last) {
    if (value === null) deleted.push({ kind, id, value })
    else put.push({ kind, id, value, isNew: born.has(key) })
  }
  return { put, deleted }
}
