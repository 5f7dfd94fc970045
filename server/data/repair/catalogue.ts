import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Log } from '../../core/logging/log'
import { Serial } from '../../core/serial'
import { CATALOGUE } from '../blobs/blob-names'
import { unlessMissing, type Disk } from '../../core/durable-file'
import { migrate } from '../library/journal/migrations'
import { salvageSnapshot, writeSnapshot } from '../library/journal/snapshot'
import type { Library } from '../library/library'
import type { LibraryData, Op } from '../library/library-data'
import type { RecordOf } from '../records/records'
import { MIGRATIONS, SCHEMA } from '../library/schema'

/** Excludes what allows sign-in: sessions, API keys, invites and password hashes. */
const COLLECTIONS = [
  'users',
  'projects',
  'files',
  'releases',
  'links',
  'posts',
  'reports',
  'trash',
  'reservedSlugs',
  'deletedAccounts',
] as const
type CataloguedName = (typeof COLLECTIONS)[number]
/** A little less than the hour between two sweeps, in ms. */
const LEAST_AGE_MS = 55 * 60_000
/** How long the last catalogue may delay closing, in ms. A million records take about 5 s. */
const CLOSE_MS = 8000

export const cataloguePath = (dir: string): string => join(dir, 'blobs', CATALOGUE)

interface CatalogueDeps {
  dataDir: string
  library: Library
  disk: Disk
  log: Pick<Log, 'error'>
  /** Whether the last run did not close cleanly, so the catalogue may be outdated. */
  wasAbandoned: boolean
}

/**
 * A copy of the records in one file of the blob folder, from which `rebuild` recreates a lost
 * library.
 */
export class Catalogue {
  readonly #path: string
  #hasChanged: boolean
  readonly #writes = new Serial()
  #deadline = Infinity

  constructor(private readonly deps: CatalogueDeps) {
    this.#path = cataloguePath(deps.dataDir)
    this.#hasChanged = deps.wasAbandoned
    for (const name of COLLECTIONS)
      deps.library.collection(name).watch(() => (this.#hasChanged = true))
  }

  /**
   * Writes the catalogue if it is missing, or outdated and not written in the last hour. Never
   * rejects.
   */
  async refresh(now: Date): Promise<void> {
    const writtenMs = await stat(this.#path).then(
      (it) => it.mtimeMs,
      () => undefined,
    )
    const isRecent = writtenMs !== undefined && Math.abs(now.getTime() - writtenMs) < LEAST_AGE_MS
    const isDue = writtenMs === undefined || (this.#hasChanged && !isRecent)
    if (isDue && this.#deadline === Infinity) await this.#write()
  }

  /** Replaces the catalogue now. Rejects if it cannot. */
  replace(): Promise<void> {
    this.#hasChanged = false
    return this.#writes.run(() => this.#replace())
  }

  /** Writes pending changes, unless that takes too long. */
  async close(): Promise<void> {
    this.#deadline = performance.now() + CLOSE_MS
    await this.#writes.idle()
    if (this.#hasChanged) await this.#write()
  }

  #write(): Promise<void> {
    this.#hasChanged = false
    const written = this.#writes.run(() => this.#replace())
    return written.catch((err: unknown) => {
      this.#hasChanged = true
      this.deps.log.error({ err }, 'cannot write the catalogue of the blobs')
    })
  }

  async #replace(): Promise<void> {
    const draft = `${this.#path}.tmp`
    await rm(draft, { force: true })
    try {
      const header = { schema: SCHEMA, generation: 0, sequence: 0 }
      await writeSnapshot(this.#path, header, this.#ops(), () => Promise.resolve(0), this.deps.disk)
    } finally {
      await rm(draft, { force: true })
    }
  }

  /** The current records, by reference: they are immutable. */
  #ops(): Iterable<Op> {
    const { library } = this.deps
    return this.#steps(
      COLLECTIONS.map((name) => [name, Array.from(library.collection(name).values())]),
    )
  }

  *#steps(cut: [CataloguedName, RecordOf<CataloguedName>[]][]): Generator<Op> {
    for (const [name, records] of cut) {
      for (const record of records) {
        if (performance.now() > this.#deadline)
          throw new Error('Closing cannot wait for it any longer')
        const id = 'id' in record ? record.id : record.slug
        yield ['put', name, id, withoutPassword(record)]
      }
    }
  }
}

function withoutPassword(record: RecordOf<CataloguedName>): object {
  if ('user' in record && record.user) return { ...record, user: withoutPassword(record.user) }
  if (!('passwordHash' in record)) return record
  const { passwordHash: _, ...user } = record
  return user
}

/** Reads the intact part of the catalogue of a folder. Returns undefined if there is none. */
export async function readCatalogue(dir: string): Promise<LibraryData | undefined> {
  const catalogue = await unlessMissing(salvageSnapshot(cataloguePath(dir), SCHEMA))
  if (catalogue) migrate(catalogue.data, catalogue.schema, SCHEMA, MIGRATIONS)
  return catalogue?.data
}
