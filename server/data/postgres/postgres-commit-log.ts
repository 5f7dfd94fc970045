import type { Log } from '../../core/logging/log'
import type { CommitLog } from '../library/commit-log'
import type { LibraryData, Op } from '../library/library-data'
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

/** A change; one without rows only waits for earlier ones. */
interface Entry {
  rows: readonly Row[]
  undo: () => void
  resolve: () => void
  reject: (error: Error) => void
}

/** The most changes and records in one commit; a change is never divided. */
const MOST_CHANGES = 512
const MOST_ROWS = 20_000
const RETRY_MS = 5000
const doNothing = () => undefined

/**
 * The commit log of the primary of a cluster. While one commit is under way the next changes collect, so
 * that many clients share one. After a refusal everything not committed is rolled back, newest
 * first, and nothing is accepted until PostgreSQL accepts changes again.
 */
export class PostgresCommitLog implements CommitLog {
  #queue: Entry[] = []
  #running: Promise<void> | undefined
  #refusal: LibraryReadOnlyError | undefined
  #isClosed = false
  readonly found = { changes: 0, cut: false }
  /** Rows are the snapshot. */
  readonly isCheckpointDue = false

  constructor(private readonly options: Options) {}

  get refusal(): LibraryReadOnlyError | undefined {
    return this.#refusal
  }

  read(): Promise<LibraryData> {
    return this.options.read()
  }

  async write(): Promise<void> {}

  prepare(ops: readonly Op[]): (undo: () => void) => Promise<void> {
    const rows = ops.map(rowOf)
    return (undo) => this.#enqueue(rows, undo)
  }

  settled(): Promise<void> {
    return this.#running === undefined && this.#refusal === undefined
      ? Promise.resolve()
      : this.#enqueue([], doNothing)
  }

  async close(): Promise<void> {
    const settled = this.settled()
    this.#isClosed = true
    this.#refusal ??= new LibraryReadOnlyError('The library is closed')
    await settled.catch(doNothing)
  }

  #enqueue(rows: readonly Row[], undo: () => void): Promise<void> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal)
    return new Promise((resolve, reject) => {
      this.#queue.push({ rows, undo, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  async #run(): Promise<void> {
    await Promise.resolve()
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch()
      try {
        const rows = merge(batch)
        if (rows.put.length + rows.deleted.length > 0) await this.options.lease.commit(rows)
      } catch (cause) {
        this.#fail(batch, cause)
        break
      }
      for (const entry of batch) entry.resolve()
    }
    this.#running = undefined
  }

  #takeBatch(): Entry[] {
    let rows = 0
    let count = 0
    for (const entry of this.#queue) {
      rows += entry.rows.length
      if (count > 0 && (count === MOST_CHANGES || rows > MOST_ROWS)) break
      count++
    }
    return this.#queue.splice(0, count)
  }

  #fail(batch: readonly Entry[], cause: unknown): void {
    const refused = [...batch, ...this.#queue]
    this.#queue = []
    const isOver = cause instanceof LeaseLostError
    const why = isOver ? cause : refusalOf(cause)
    this.#refusal = new LibraryReadOnlyError(
      'The library is read-only because PostgreSQL refused a change',
      why,
    )
    for (const entry of refused.toReversed()) entry.undo()
    for (const entry of refused) entry.reject(this.#refusal)
    if (isOver) return
    this.options.log.error(
      { err: why },
      'PostgreSQL refuses changes; the library is read-only until it accepts them',
    )
    this.#tryAgain()
  }

  #tryAgain(): void {
    const look = async () => {
      if (this.#isClosed) return
      const accepts = await this.options.lease.accepts()
      this.#goOn(accepts)
    }
    setTimeout(() => void look(), this.options.retryMs ?? RETRY_MS).unref()
  }

  #goOn(accepts: boolean): void {
    if (this.#isClosed) return
    if (!accepts) return this.#tryAgain()
    this.#refusal = undefined
    this.options.log.info({}, 'PostgreSQL accepts changes again')
  }
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
function merge(batch: readonly Entry[]): Rows {
  const last = new Map<string, Row>()
  const born = new Set<string>()
  for (const { rows } of batch) {
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
