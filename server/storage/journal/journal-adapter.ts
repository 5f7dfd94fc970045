import { mkdir, rm, truncate, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Adapter } from 'lowdb'
import { syncDir, type Disk } from '../durable-file'
import { emptyLibrary, type LibraryData } from '../library-data'
import type { LibraryReadOnlyError } from '../library-errors'
import { Journal } from './journal'
import { isUntouched, listLibrary, logName, snapshotName, type LibraryFiles } from './library-files'
import { LogFile } from './log-file'
import { keepCopy, migrate, type Migrations } from './migrations'
import { recover, type Recovered } from './recovery'
import { writeSnapshot } from './snapshot'

export interface JournalOptions {
  dir: string
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void }
  now: () => Date
  checkpointBytes: number
  schema: number
  migrations: Migrations
  disk: Disk
}

/** So many starts without a snapshot, and the next one takes it. */
const MANY_LOGS = 8

/** What lowdb sees: `read` recovers the library, `write` takes a snapshot of it. Transactions go to the journal between. */
export class JournalAdapter implements Adapter<LibraryData> {
  #journal: Journal | undefined
  /** The newest log. */
  #generation = 0
  /** The snapshot that a recovery would build upon now. Logs from here on are needed. */
  #base = 1
  #snapshotBytes = 0
  /** What the logs before the current one would add to a recovery. */
  #olderLogBytes = 0

  constructor(private readonly options: JournalOptions) {}

  get journal(): Journal {
    if (this.#journal === undefined) throw new Error('The library has not been read yet')
    return this.#journal
  }

  get refusal(): LibraryReadOnlyError | undefined {
    return this.journal.refusal
  }

  /** A snapshot saves more than it costs: the logs have outgrown half of the last one, or there are many of them. */
  get isCheckpointDue(): boolean {
    const logBytes = this.#olderLogBytes + this.journal.bytes
    const worthwhile = Math.max(this.options.checkpointBytes, this.#snapshotBytes / 2)
    return logBytes >= worthwhile || this.#generation - this.#base >= MANY_LOGS
  }

  async read(): Promise<LibraryData> {
    const { dir, schema, migrations } = this.options
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const files = await listLibrary(dir)
    if (isUntouched(files)) return this.#start(emptyLibrary(), 0, files)
    const found = await recover(dir, files, schema, migrations)
    for (const path of found.damaged) this.options.log.error({ path }, 'a damaged snapshot was passed over, nothing is lost')
    const isOld = found.schema < schema
    if (isOld) await this.#migrate(found, files)
    if (found.torn !== undefined) await this.#cut(found.torn)
    this.#generation = found.generation
    this.#base = found.base
    this.#snapshotBytes = found.snapshotBytes
    this.#olderLogBytes = found.logBytes
    const data = await this.#start(found.data, found.sequence, files)
    if (isOld) await this.write(data)
    return data
  }

  async write(data: LibraryData): Promise<void> {
    const { dir, schema, disk } = this.options
    const { journal } = this
    const generation = this.#generation + 1
    const log = await LogFile.draft(dir, generation, disk)
    this.#generation = generation
    const sequence = await journal.turnTo(log, generation, schema)
    this.#olderLogBytes = 0
    const settle = async () => {
      const last = journal.lastSequence
      await journal.settled()
      return last
    }
    const path = join(dir, snapshotName(generation))
    try {
      this.#snapshotBytes = await writeSnapshot(path, { schema, generation, sequence }, data, settle, disk)
    } catch (error) {
      await rm(`${path}.tmp`, { force: true })
      throw error
    }
    await this.#keepOnly(this.#base)
    this.#base = generation
  }

  /** Every start begins a new log, so that nothing is ever added after what a crash may have left. */
  async #start(data: LibraryData, sequence: number, { drafts }: LibraryFiles): Promise<LibraryData> {
    const { dir, schema, disk, log } = this.options
    for (const draft of drafts) await rm(join(dir, draft))
    const file = await LogFile.draft(dir, ++this.#generation, disk)
    await file.begin(sequence + 1, ['begin', this.#generation, schema])
    this.#journal = new Journal(file, sequence + 1, (cause) => {
      log.error({ err: cause }, 'the library could not be written and is read-only until a restart')
    })
    return data
  }

  async #migrate(found: Recovered, files: LibraryFiles): Promise<void> {
    const { dir, schema, migrations, now, log } = this.options
    const copy = await keepCopy(dir, files, schema, now())
    migrate(found.data, found.schema, schema, migrations)
    log.info({ from: found.schema, to: schema, copy }, 'the library was brought to a new schema')
  }

  /** Takes away the half line of a crash for good, before a newer log makes its own log one that may not be torn. */
  async #cut({ path, length }: { path: string; length: number }): Promise<void> {
    await truncate(path, length)
    const handle = await open(path, 'r+')
    await handle.sync().finally(() => handle.close())
    await syncDir(this.options.dir)
    this.options.log.info({ path, length }, 'an unfinished transaction was removed from the end of the log')
  }

  /** Deletes what is older than the snapshot before the newest: two generations are kept. */
  async #keepOnly(oldest: number): Promise<void> {
    const { dir } = this.options
    const { logs, snapshots } = await listLibrary(dir)
    const names = [...snapshots.filter((n) => n < oldest).map(snapshotName), ...logs.filter((n) => n < oldest).map(logName)]
    for (const name of names) await rm(join(dir, name))
  }
}
