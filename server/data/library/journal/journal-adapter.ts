import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Adapter } from 'lowdb'
import type { Log } from '../../../core/logging/log'
import type { Disk } from '../../durable-file'
import { emptyLibrary, type LibraryData } from '../library-data'
import { Journal } from './journal'
import { isUntouched, listLibrary, removeOlderThan, snapshotName, type LibraryFiles } from './library-files'
import { cutLog, LogFile } from './log-file'
import { keepCopy, migrate, type Migrations } from './migrations'
import { recover, type Recovered } from './recovery'
import { opsOf, writeSnapshot } from './snapshot'

export interface JournalOptions {
  dir: string
  log: Pick<Log, 'info' | 'error'>
  now: () => Date
  checkpointBytes: number
  /** How often to look whether a full disk has room again. */
  roomCheckMs: number
  schema: number
  migrations: Migrations
  disk: Disk
}

/** What the logs held beyond the last snapshot. */
export interface ReadBack {
  /** Transactions. */
  changes: number
  /** Whether the last one was not whole and was cut off. */
  cut: boolean
}

/** After so many starts without a snapshot the next one takes it. */
const MANY_LOGS = 8
/** A snapshot that failed is not tried again at once: most likely the disk is full. */
const RETRY_MS = 60_000
/** With less the library does not go on after a full disk: it would only stop again. */
const ROOM_BYTES = 4 * 1024 * 1024

/** What lowdb sees: `read` recovers the library, `write` takes a snapshot of it. Between them, changes go to `journal`. */
export class JournalAdapter implements Adapter<LibraryData> {
  #journal: Journal | undefined
  /** The newest log. */
  #generation = 0
  /** The snapshot that a recovery would build upon now, or the first log. */
  #base = 1
  #snapshotBytes = 0
  /** What a recovery would have to read beside the newest log. */
  #olderLogBytes = 0
  #notBefore = 0
  /** What `read` found in the logs. */
  found: ReadBack = { changes: 0, cut: false }

  constructor(private readonly options: JournalOptions) {}

  get journal(): Journal {
    if (this.#journal === undefined) throw new Error('The library has not been read yet')
    return this.#journal
  }

  /** True when the logs have outgrown half of the last snapshot, so that one pays. */
  get isCheckpointDue(): boolean {
    const logBytes = this.#olderLogBytes + this.journal.bytes
    const worthwhile = Math.max(this.options.checkpointBytes, this.#snapshotBytes / 2)
    return logBytes >= worthwhile && performance.now() >= this.#notBefore
  }

  async read(): Promise<LibraryData> {
    const { dir, schema, migrations, log } = this.options
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const files = await listLibrary(dir)
    if (isUntouched(files)) return this.#start(emptyLibrary(), 0, files)
    const found = await recover(dir, files, schema, migrations)
    for (const path of found.damaged) log.error({ path }, 'skipped a damaged snapshot; no data was lost')
    if (found.schema < schema) await this.#migrate(found, files)
    if (found.torn !== undefined) {
      await cutLog(found.torn)
      log.info(found.torn, 'removed an incomplete transaction from the end of the log')
    }
    this.found = { changes: found.changes, cut: found.torn !== undefined }
    this.#generation = found.generation
    this.#base = found.base
    this.#snapshotBytes = found.snapshotBytes
    const isOverdue = found.schema < schema || found.damaged.length > 0 || found.generation - found.base >= MANY_LOGS
    this.#olderLogBytes = isOverdue ? Infinity : found.logBytes
    return this.#start(found.data, found.sequence, files)
  }

  /** Two generations are kept: should the new snapshot ever be damaged, the one before and its logs hold the same. */
  async write(data: LibraryData): Promise<void> {
    this.#notBefore = performance.now() + RETRY_MS
    const journal = this.journal
    const sequence = await this.#turnOver()
    await this.#snapshot(data, sequence, journal)
    const previous = this.#base
    this.#base = this.#generation
    this.#notBefore = 0
    await removeOlderThan(this.options.dir, previous)
  }

  /** Every start begins a new log, so that nothing is ever added after what a crash may have left. */
  async #start(data: LibraryData, sequence: number, { drafts }: LibraryFiles): Promise<LibraryData> {
    const { dir, schema, disk } = this.options
    for (const draft of drafts) await rm(join(dir, draft))
    const file = await LogFile.draft(dir, ++this.#generation, disk)
    try {
      await file.begin(sequence + 1, ['begin', this.#generation, schema])
    } catch (error) {
      await file.abandon()
      throw error
    }
    this.#journal = this.#journalOn(file, sequence + 1)
    return data
  }

  #journalOn(file: LogFile, sequence: number): Journal {
    return new Journal(file, sequence, (err) => {
      this.options.log.error({ err }, 'cannot write the library; it is read-only until a restart or more disk space')
      this.#lookForRoom()
    })
  }

  #lookForRoom(): void {
    const look = async () => {
      if (this.journal.mayGoOn() && !(await this.#goOn().catch(() => false))) this.#lookForRoom()
    }
    setTimeout(() => void look(), this.options.roomCheckMs).unref()
  }

  /** After a full disk, once there is room: a new log continues where the last one ends. False: not yet. */
  async #goOn(): Promise<boolean> {
    const { dir, schema, disk, log } = this.options
    const before = this.journal
    const { bavail, bsize } = await statfs(dir)
    if (bavail * bsize < ROOM_BYTES) return false
    const generation = this.#generation + 1
    const next = await LogFile.draft(dir, generation, disk)
    try {
      await next.begin(before.lastSequence + 1, ['begin', generation, schema])
    } catch (error) {
      await next.abandon()
      throw error
    }
    this.#generation = generation
    this.#olderLogBytes += before.bytes
    // Closed in the meantime: the next start finds one more log, which is empty.
    if (!before.mayGoOn()) await next.close()
    else this.#journal = this.#journalOn(next, before.lastSequence + 1)
    log.info({ generation }, 'the disk has space again: the library accepts changes')
    return true
  }

  /** Begins the next log. Answers the transaction that the logs before it end with. */
  async #turnOver(): Promise<number> {
    const { dir, schema, disk } = this.options
    const log = await LogFile.draft(dir, this.#generation + 1, disk)
    try {
      const sequence = await this.journal.turnTo(log, this.#generation + 1, schema)
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
    // Of this journal, not of one that goes on after a full disk: the records may show what that one has taken back.
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

  /** The new log says that the records before it have the new schema: a later recovery migrates at the same place. */
  async #migrate(found: Recovered, files: LibraryFiles): Promise<void> {
    const { dir, schema, migrations, now, log } = this.options
    const copy = await keepCopy(dir, files, schema, now())
    migrate(found.data, found.schema, schema, migrations)
    log.info({ from: found.schema, to: schema, copy }, 'migrated the library to a new schema')
  }
}
