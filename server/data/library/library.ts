import { Low } from 'lowdb'
import { MapCollection, type Collection } from './collection'
import { realDisk } from '../../core/durable-file'
import { JournalAdapter, type JournalOptions } from './journal/journal-adapter'
import type { CommitLog, ReadBack } from './commit-log'
import { MIGRATIONS, SCHEMA } from './schema'
import type { CollectionName, RecordOf } from '../records/records'
import { LibraryReadOnlyError } from './library-errors'
import { collectionNames, emptyLibrary, type LibraryData, type Op } from './library-data'

export type { Collection } from './collection'
export { cut, type Page, type ResultPage, type Search } from './search/search'
export { TextIndex } from './search/text-index'
export { newestBy, type Index, type SortedIndex, type Sum, type UniqueIndex } from './indexes'
export { LibraryDamagedError, LibraryReadOnlyError, LibraryTooNewError } from './library-errors'

/** Collects the steps of a change. They apply after the change returns. */
export interface Transaction {
  put<T extends object>(collection: Collection<T>, id: string, value: NoInfer<T>): void
  delete<T extends object>(collection: Collection<T>, id: string): void
  setCounter(name: string, value: number | undefined): void
  /** Runs once the change is on disk, never for a failed change. It must not throw. */
  after(then: () => void): void
}

/** Adds steps to a change that must reach the disk with it, for every caller. Must not throw. */
export type FollowUp = (tx: Transaction, ops: readonly Op[]) => void

/** Location of the library, and the parts that tests replace. */
export type LibraryOptions = Pick<JournalOptions, 'dir' | 'log'> & Partial<JournalOptions>

const CHECKPOINT_BYTES = 16 * 1024 * 1024
const ROOM_CHECK_MS = 5000
/** Hot counters reach the disk within a second; this leaves time for the sync. */
const COUNTER_FLUSH_MS = 700

/**
 * All records, in memory for reading and on disk before a change is acknowledged. Records are
 * immutable.
 */
export class Library {
  readonly #collections: Record<CollectionName, MapCollection<object>>
  readonly #counters: Map<string, number>
  readonly #counted = new Set<string>()
  readonly #followUps: {
    needs: CollectionName
    followUp: FollowUp
    of: CollectionName | undefined
  }[] = []
  #flushTimer: NodeJS.Timeout | undefined
  #checkpoint: Promise<void> | undefined
  #isChanging = false
  /** Grows with every change of records in memory. Counting is no change. */
  revision = 0
  /**
   * Receives the time in ms that each change took to reach the disk; undefined: it is not measured.
   */
  onCommitted: ((ms: number) => void) | undefined

  private constructor(
    private readonly db: Low<LibraryData>,
    private readonly commitLog: CommitLog,
    private readonly log: LibraryOptions['log'],
  ) {
    const { collections, counters } = db.data
    const made = collectionNames.map(
      (name) => [name, new MapCollection(name, collections[name])] as const,
    )
    this.#collections = Object.fromEntries(made) as Record<CollectionName, MapCollection<object>>
    this.#counters = counters
  }

  /**
   * Runs within every change (or each of records of `of`) while `needs` has records, before the
   * change applies, so collections still show the earlier state.
   */
  follow(needs: CollectionName, followUp: FollowUp, of?: CollectionName): void {
    this.#followUps.push({ needs, followUp, of })
  }

  /** The library of a data folder. */
  static open(options: LibraryOptions): Promise<Library> {
    const journal = new JournalAdapter({
      now: () => new Date(),
      checkpointBytes: CHECKPOINT_BYTES,
      roomCheckMs: ROOM_CHECK_MS,
      schema: SCHEMA,
      migrations: MIGRATIONS,
      disk: realDisk,
      ...options,
    })
    return Library.on(journal, options.log)
  }

  /** Opens the library of `commitLog`, which stores its changes. */
  static async on(commitLog: CommitLog, log: LibraryOptions['log']): Promise<Library> {
    const db = new Low<LibraryData>(commitLog, emptyLibrary())
    await db.read()
    const library = new Library(db, commitLog, log)
    library.#checkpointWhenDue()
    return library
  }

  /**
   * True after a failed write: reads work, changes do not until a restart, or until a full disk has
   * space.
   */
  get readOnly(): boolean {
    return this.refusedFor !== undefined
  }

  /**
   * The disk's error code (`ENOSPC`, `EIO`) that stopped changes; undefined while changes are
   * accepted.
   */
  get refusedFor(): string | undefined {
    return this.commitLog.refusal?.code
  }

  /** Call after space was freed: a library that a full disk has stopped then resumes at once. */
  async lookForRoom(): Promise<void> {
    await this.commitLog.lookForRoom?.()
  }

  get readBack(): ReadBack {
    return this.commitLog.found
  }

  collection<Name extends CollectionName>(name: Name): Collection<RecordOf<Name>> {
    return this.#collections[name] as unknown as Collection<RecordOf<Name>>
  }

  /**
   * Runs `change` on the current state. Its steps apply immediately and atomically; the promise
   * resolves when they are on disk. If `change` throws, nothing changes. If the disk fails, the
   * steps are rolled back and the promise rejects; what frees space on a full disk runs once more.
   */
  async transact<R>(change: (tx: Transaction) => R): Promise<R> {
    if (this.commitLog.refusal !== undefined && this.commitLog.acceptsDeletes !== true)
      throw this.commitLog.refusal
    const { ops, afterwards, result } = this.#gather(change)
    // A read-only change may have seen data not on disk yet, so wait for that.
    try {
      await (ops.length === 0 ? this.commitLog.settled() : this.#commit(ops))
    } catch (error) {
      const isRefused = error instanceof LibraryReadOnlyError
      if (!isRefused || !(await this.commitLog.mayRetry?.(ops))) throw error
      return await this.transact(change)
    }
    for (const then of afterwards) then()
    return result
  }

  /** Applies steps that another process has stored. They are complete and cannot be undone. */
  apply(ops: readonly Op[]): void {
    for (const op of ops) this.#apply(op)
  }

  counter(name: string): number {
    return this.#counters.get(name) ?? 0
  }

  /** The names of all counters, also of those that count nothing yet on disk. */
  counterNames(): IterableIterator<string> {
    return this.#counters.keys()
  }

  /**
   * Increments a hot counter: in memory immediately, on disk within a second. A crash may lose that
   * second.
   */
  count(name: string, by = 1): void {
    if (!Number.isFinite(by)) throw new RangeError(`Counter ${name} cannot grow by ${by}`)
    this.#counters.set(name, this.counter(name) + by)
    if (this.readOnly) return
    this.#counted.add(name)
    this.#flushTimer ??= setTimeout(() => this.#flushCounters(), COUNTER_FLUSH_MS).unref()
  }

  async settled(): Promise<void> {
    this.#flushCounters()
    await this.commitLog.settled()
  }

  /** Writes a snapshot and begins a new log. Changes continue during that. */
  checkpoint(): Promise<void> {
    this.#checkpoint ??= this.db.write().finally(() => (this.#checkpoint = undefined))
    return this.#checkpoint
  }

  /** Flushes all changes. Afterwards reads work and changes are refused. */
  async close(): Promise<void> {
    await this.#checkpoint?.catch(() => undefined)
    this.#flushCounters()
    await this.commitLog.close()
  }

  #gather<R>(
    change: (tx: Transaction) => R,
  ): Pick<GatheringTransaction, 'ops' | 'afterwards'> & { result: R } {
    if (this.#isChanging) throw new Error('A change cannot start another transaction')
    const tx = new GatheringTransaction()
    this.#isChanging = true

    try {
      const result = change(tx)
      if (result instanceof Promise)
        throw new TypeError('A change must not wait for anything: it cannot be async')

      for (const { needs, followUp, of: name } of this.#followUps) {
        const concerns = name === undefined || tx.ops.some((op) => op[1] === name)
        if (concerns && this.#collections[needs].size > 0) followUp(tx, tx.ops)
      }
      return { result, ops: tx.ops, afterwards: tx.afterwards }
    } finally {
      this.#isChanging = false
      tx.end()
    }
  }

  /**
   * Applies steps in memory immediately. Resolves when they are on disk; on failure, rolls them
   * back and rejects.
   */
  async #commit(ops: readonly Op[]): Promise<void> {
    const store = this.commitLog.prepare(ops)
    const inverse = ops.map((op) => this.#apply(op))
    const begun = performance.now()
    await store(() => inverse.reverse().forEach((op) => this.#apply(op)))
    this.onCommitted?.(performance.now() - begun)
    this.#checkpointWhenDue()
  }

  #apply(op: Op): Op {
    if (op[0] === 'counter') {
      const [, name, value] = op
      const before = this.#counters.get(name) ?? null
      if (value === null) this.#counters.delete(name)
      else this.#counters.set(name, value)
      return ['counter', name, before]
    }

    this.revision++
    const [kind, name, id] = op
    const collection = this.#collections[name]
    const before = collection.get(id)

    if (kind === 'put') collection.put(id, op[3])
    else collection.delete(id)
    return before === undefined ? ['delete', name, id] : ['put', name, id, before]
  }

  #flushCounters(): void {
    clearTimeout(this.#flushTimer)
    this.#flushTimer = undefined

    const ops = [...this.#counted].map((name): Op => [
      'counter',
      name,
      this.#counters.get(name) ?? null,
    ])

    this.#counted.clear()
    if (ops.length === 0 || this.readOnly) return
    // The commit log reports its own failures; lost counts need no report.
    this.commitLog
      .prepare(ops)(() => undefined)
      .catch(() => undefined)
  }

  #checkpointWhenDue(): void {
    if (this.#checkpoint !== undefined || this.readOnly || !this.commitLog.isCheckpointDue) return
    this.checkpoint().catch((err: unknown) =>
      this.log.error({ err }, 'cannot take a snapshot; the log continues'),
    )
  }
}

/** Collects the steps of one change, and accepts no more once it has returned. */
export class GatheringTransaction implements Transaction {
  readonly ops: Op[] = []
  readonly afterwards: (() => void)[] = []
  #over = false

  put<T extends object>(collection: Collection<T>, id: string, value: NoInfer<T>): void {
    this.#add(['put', collection.name, id, value])
  }

  delete<T extends object>(collection: Collection<T>, id: string): void {
    this.#add(['delete', collection.name, id])
  }

  setCounter(name: string, value: number | undefined): void {
    if (value !== undefined && !Number.isFinite(value))
      throw new RangeError(`Counter ${name} cannot become ${value}`)
    this.#add(['counter', name, value ?? null])
  }

  after(then: () => void): void {
    this.afterwards.push(then)
  }

  end(): void {
    this.#over = true
  }

  #add(op: Op): void {
    if (this.#over) throw new Error('This transaction is over: a change must not wait for anything')
    this.ops.push(op)
  }
}
