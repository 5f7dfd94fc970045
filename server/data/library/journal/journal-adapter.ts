import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Log } from '../../../core/logging/log'
import { Serial } from '../../../core/serial'
import { errorCode, isFull, isReadOnlyDisk, type Disk } from '../../../core/durable-file'
import type { CommitLog, ReadBack } from '../commit-log'
import { emptyLibrary, type LibraryData, type Op } from '../library-data'
import { NoRoomError, type LibraryReadOnlyError } from '../library-errors'
import { requireOwnLibrary } from '../library-place'
import { Journal } from './journal'
import {
  isUntouched,
  listLibrary,
  removeOlderThan,
  snapshotName,
  type LibraryFiles,
} from './library-files'
import { cutLog, LogFile } from './log-file'
import { keepCopy, migrate, type Migrations } from './migrations'
import { almostFull, DiskReserve, makesRoom } from './disk-reserve'
import { recover, type Recovered } from './recovery'
import { opsOf, writeSnapshot } from './snapshot'

export interface JournalOptions {
  dir: string
  log: Pick<Log, 'info' | 'error'>
  now: () => Date
  checkpointBytes: number
  /** How often to check whether a full disk has space again, in ms. */
  roomCheckMs: number
  schema: number
  migrations: Migrations
  disk: Disk
}

/** After this many starts without a snapshot, the next start takes one. */
const MANY_LOGS = 8
/** How long to wait after a failed snapshot, in ms: most likely the disk is full. */
const RETRY_MS = 60_000

/**
 * The journal of a data folder: `read` recovers the library, `write` takes a snapshot, and a log
 * stores the changes in between.
 */
export class JournalAdapter implements CommitLog {
  #journal: Journal | undefined
  #generation = 0
  /** The snapshot that a recovery would start from, or the first log. */
  #base = 1
  #snapshotBytes = 0
  /** Bytes that a recovery would read besides the newest log. */
  #olderLogBytes = 0
  #notBefore = 0
  /** Set while the library uses its reserve. */
  #scarcity: LibraryReadOnlyError | undefined
  #isClosed = false
  readonly #reserve: DiskReserve
  /** Changes of the reserve, and of the journal after a full disk. */
  readonly #recovery = new Serial()
  found: ReadBack = { changes: 0, cut: false }

  constructor(private readonly options: JournalOptions) {
    this.#reserve = new DiskReserve(options.dir, options.disk)
  }

  prepare(ops: readonly Op[]): (undo: () => void) => Promise<void> {
    if (this.#scarcity !== undefined && !makesRoom(ops)) throw this.#scarcity
    const json = JSON.stringify(ops)
    return (undo) => this.#current.append(json, undo)
  }

  settled(): Promise<void> {
    return this.#current.settled()
  }

  close(): Promise<void> {
    this.#isClosed = true
    return this.#current.close()
  }

  get refusal(): LibraryReadOnlyError | undefined {
    return this.#current.refusal ?? this.#scarcity
  }

  get acceptsDeletes(): boolean {
    return this.#current.refusal === undefined && this.#scarcity !== undefined
  }

  async mayRetry(ops: readonly Op[]): Promise<boolean> {
    await this.#recovery.idle()
    return makesRoom(ops) && (this.acceptsDeletes || this.refusal === undefined)
  }

  async lookForRoom(): Promise<void> {
    if (this.refusal !== undefined) await this.#resume().catch(() => false)
  }

  get #current(): Journal {
    if (this.#journal === undefined) throw new Error('The library has not been read yet')
    return this.#journal
  }

  get isCheckpointDue(): boolean {
    const logBytes = this.#olderLogBytes + this.#current.bytes
    const worthwhile = Math.max(this.options.checkpointBytes, this.#snapshotBytes / 2)
    return logBytes >= worthwhile && performance.now() >= this.#notBefore
  }

  async read(): Promise<LibraryData> {
    const { dir, schema, migrations, log } = this.options
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await requireOwnLibrary(dir)
    const files = await listLibrary(dir)

    if (isUntouched(files)) {
      await this.#begin(0, files)
      this.#watchForRoom()
      return emptyLibrary()
    }

    const recovery = await recover(dir, files, schema, migrations)
    for (const path of recovery.damaged)
      log.error({ path }, 'skipped a damaged snapshot; no data was lost')
    if (recovery.schema < schema) await this.#migrate(recovery, files)

    if (recovery.torn !== undefined) {
      // On a read-only disk no log is appended, so the torn end does no harm.
      await cutLog(recovery.torn).catch((error: unknown) => {
        if (!isReadOnlyDisk(error)) throw error
      })
      log.info(recovery.torn, 'removed an incomplete transaction from the end of the log')
    }

    this.found = { changes: recovery.changes, cut: recovery.torn !== undefined }
    this.#generation = recovery.generation
    this.#base = recovery.base
    this.#snapshotBytes = recovery.snapshotBytes

    const isOverdue =
      recovery.schema < schema ||
      recovery.damaged.length > 0 ||
      recovery.generation - recovery.base >= MANY_LOGS
    this.#olderLogBytes = isOverdue ? Infinity : recovery.logBytes

    await this.#start(recovery.sequence, files)
    return recovery.data
  }

  /**
   * Keeps two generations. If the new snapshot is damaged, the previous one and its logs have the
   * same content.
   */
  async write(data: LibraryData): Promise<void> {
    this.#notBefore = performance.now() + RETRY_MS
    const journal = this.#current
    const sequence = await this.#turnOver()
    await this.#snapshot(data, sequence, journal)
    const previous = this.#base
    this.#base = this.#generation
    this.#notBefore = 0
    await removeOlderThan(this.options.dir, previous)
  }

  /**
   * Begins a log. On a full disk it takes a part of the reserve for that; without any room the
   * library is read-only.
   */
  async #start(sequence: number, files: LibraryFiles): Promise<void> {
    try {
      await this.#begin(sequence, files).catch(async (error: unknown) => {
        if (!isFull(error) || !(await this.#inPlaceOfReserve(() => this.#begin(sequence, files))))
          throw error
      })
      if (await this.#reserve.isUsed()) this.#scarcity = almostFull()
    } catch (error) {
      if (!isFull(error) && !isReadOnlyDisk(error)) throw error
      const cause = isFull(error) ? new NoRoomError(errorCode(error) ?? 'ENOSPC', error) : error
      this.#journal = Journal.refusing(sequence, cause)
      this.options.log.error(
        { err: cause },
        'the library is read-only, because its disk accepts no changes',
      )
    }
    this.#watchForRoom()
  }

  /** Every start begins a new log, so that nothing is appended after a partial line. */
  async #begin(sequence: number, { drafts }: LibraryFiles): Promise<void> {
    for (const draft of drafts) await rm(join(this.options.dir, draft), { force: true })
    this.#journal = this.#journalOn(await this.#beginLog(sequence + 1), sequence + 1)
  }

  /** Begins the log of the next generation. */
  async #beginLog(sequence: number): Promise<LogFile> {
    const { dir, schema, disk } = this.options
    const file = await LogFile.beginLog(dir, disk, {
      generation: this.#generation + 1,
      sequence,
      schema,
    })
    this.#generation++
    return file
  }

  #journalOn(file: LogFile, sequence: number): Journal {
    return new Journal(file, sequence, (err) => {
      this.options.log.error(
        { err },
        'cannot write the library; it is read-only until a restart or more disk space',
      )
      void this.#recovery.run(() => this.#useReserve()).finally(() => this.#watchForRoom())
    })
  }

  /** Frees a part of the reserve after the disk is full, so that people can sign in and delete. */
  async #useReserve(): Promise<void> {
    try {
      const { refusal } = this.#current
      if (!this.#current.mayGoOn() || !(await this.#inPlaceOfReserve(() => this.#continue())))
        return
      this.#scarcity = refusal
      this.options.log.info({}, 'the disk is full: the library accepts only deletes and sign-ins')
    } catch (err) {
      this.options.log.error({ err }, 'cannot use the reserve of the library')
    }
  }

  /** Begins a log in place of as many parts of the reserve as it takes. False: it has too few. */
  async #inPlaceOfReserve(begin: () => Promise<void>): Promise<boolean> {
    while (await this.#reserve.giveUp()) {
      try {
        await begin()
        return true
      } catch (error) {
        if (!isFull(error)) throw error
      }
    }
    return false
  }

  #watchForRoom(): void {
    const look = async () => {
      if (!(await this.#resume().catch(() => false))) this.#watchForRoom()
    }
    setTimeout(() => void look(), this.options.roomCheckMs).unref()
  }

  /** Returns false if there is no room yet. After another failure, only a restart resumes. */
  #resume(): Promise<boolean> {
    return this.#recovery.run(() => {
      const { refusal } = this.#current
      const isOver = this.#isClosed || (refusal !== undefined && !this.#current.mayGoOn())
      return isOver || this.#goOn()
    })
  }

  /**
   * Resumes after a full disk: a new log continues where the last one ends. Returns false if there
   * is no space yet.
   */
  async #goOn(): Promise<boolean> {
    const wasRefusing = this.refusal !== undefined
    if (!(await this.#reserve.make())) return false
    if (this.#current.mayGoOn()) await this.#continue()
    this.#scarcity = undefined
    if (wasRefusing)
      this.options.log.info({}, 'the disk has space again: the library accepts changes')
    return true
  }

  /** Continues in a new log after a full disk. */
  async #continue(): Promise<void> {
    const before = this.#current
    const next = await this.#beginLog(before.lastSequence + 1)
    this.#olderLogBytes += before.bytes
    // Closed in the meantime: the next start finds one more, empty log.
    if (!before.mayGoOn()) await next.close()
    else this.#journal = this.#journalOn(next, before.lastSequence + 1)
  }

  /** Begins the next log. Returns the last transaction of the earlier logs. */
  async #turnOver(): Promise<number> {
    const { dir, schema, disk } = this.options

    const log = await LogFile.draft(dir, this.#generation + 1, disk)
    try {
      const sequence = await this.#current.rotateTo(log, this.#generation + 1, schema)
      this.#generation++
      this.#olderLogBytes = 0
      return sequence
    } catch (error) {
      await log.abandon()
      throw error
    }
  }

  async #snapshot(data: LibraryData, sequence: number, journal: Journal): Promise<void> {
    const { dir, schema, disk } = this.options
    const path = join(dir, snapshotName(this.#generation))
    const header = { schema, generation: this.#generation, sequence }

    // Use this journal, not one that resumed after a full disk: the records may show what that one
    // rolled back.
    const settle = async () => {
      const last = journal.lastSequence
      await journal.settled()
      return last
    }

    try {
      this.#snapshotBytes = await writeSnapshot(path, header, opsOf(data), settle, disk)
    } catch (error) {
      await rm(`${path}.tmp`, { force: true })
      throw error
    }
  }

  /** The new log records the new schema, so that a later recovery migrates at the same place. */
  async #migrate(recovery: Recovered, files: LibraryFiles): Promise<void> {
    const { dir, schema, migrations, now, log } = this.options
    const copy = await keepCopy(dir, files, schema, now())
    migrate(recovery.data, recovery.schema, schema, migrations)
    log.info({ from: recovery.schema, to: schema, copy }, 'migrated the library to a new schema')
  }
}
