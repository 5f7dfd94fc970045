import { DAY_MS } from '../../core/clock'
import { join } from 'node:path'
import { z } from 'zod'
import type { Disk } from '../../core/durable-file'
import { ReaderError } from '../../core/errors'
import type { Log } from '../../core/logging/log'
import { StoredFile } from '../../data/stored-file'

/** The newest ones are kept, so that the file stays small. */
const MOST = 10_000

const datesSchema = z.record(z.string(), z.object({ digest: z.string(), at: z.iso.datetime() }))
type Dates = z.infer<typeof datesSchema>

/** A date of a future that the clock no longer shows is one that clients never took. */
const AHEAD_MS = DAY_MS

/** The keys whose fingerprints clients know. */
export type Signer = 'openpgp' | 'jar'
/** Their places among the dates, which are never left out. */
const SIGNERS = { openpgp: 'signer/openpgp', jar: 'signer/jar' } as const

interface Deps {
  dir: string
  disk: Disk
  now: () => Date
  log: Pick<Log, 'warn'>
  /** Whether this host is a reader of a cluster: all hosts date an index as the writer does. */
  isReader?: boolean
}

/**
 * When the content of each signed index last changed: apt ignores an index that is older than the
 * one it has, and fetches one with another date again. Kept over restarts; without the file every
 * index is as of now.
 */
export class ContentDates {
  readonly #file: StoredFile<Dates>
  #saved: Promise<void> = Promise.resolve()
  #dates: Promise<Map<string, Dates[string]>> | undefined

  constructor(private readonly deps: Deps) {
    const path = join(deps.dir, 'feed-dates.json')
    this.#file = new StoredFile(datesSchema, path, { onDamage: () => undefined, disk: deps.disk })
  }

  /** Returns when this index got its present content, in whole seconds. Throws ReaderError. */
  async of(index: string, digest: string): Promise<Date> {
    const now = Math.floor(this.deps.now().getTime() / 1000) * 1000
    const find = (stored: Map<string, Dates[string]>) => {
      const entry = stored.get(index)
      return entry && Date.parse(entry.at) < now + AHEAD_MS ? entry : undefined
    }
    const dates = await this.#readUntil((stored) => find(stored)?.digest === digest)
    const before = find(dates)
    if (before?.digest === digest) return new Date(before.at)
    if (this.deps.isReader) throw new ReaderError()
    const last = before ? Date.parse(before.at) : 0
    const at = new Date(last >= now ? last + 1000 : now)
    dates.delete(index)
    dates.set(index, { digest, at: at.toISOString() })
    if (dates.size > MOST) {
      const oldest = [...dates.keys()].find((key) => !Object.values<string>(SIGNERS).includes(key))
      dates.delete(oldest ?? '')
    }
    this.#save(dates)
    return at
  }

  /**
   * Remembers which key of a kind clients know: the first that signed an index. Returns its
   * argument. Throws ReaderError.
   */
  async remember(signer: Signer, fingerprint: string): Promise<string> {
    const dates = await this.#readUntil((stored) => stored.has(SIGNERS[signer]))
    if (dates.has(SIGNERS[signer])) return fingerprint
    if (this.deps.isReader) throw new ReaderError()
    dates.set(SIGNERS[signer], { digest: fingerprint, at: this.deps.now().toISOString() })
    this.#save(dates)
    return fingerprint
  }

  /** The fingerprints of the keys that clients know. */
  async knownSigners(): Promise<Partial<Record<Signer, string>>> {
    const dates = await this.#read()
    const openpgp = dates.get(SIGNERS.openpgp)?.digest
    const jar = dates.get(SIGNERS.jar)?.digest
    return { ...(openpgp !== undefined && { openpgp }), ...(jar !== undefined && { jar }) }
  }

  /**
   * Forgets them: the keys that sign next are those that clients know. Resolves when that is on
   * disk.
   */
  async forgetSigners(): Promise<void> {
    const dates = await this.#read()
    for (const key of Object.values(SIGNERS)) dates.delete(key)
    await this.#file.write(Object.fromEntries(dates))
  }

  /** A reader reads the file again where something is missing: the writer may have added it. */
  async #readUntil(
    isThere: (dates: Map<string, Dates[string]>) => boolean,
  ): Promise<Map<string, Dates[string]>> {
    const dates = await this.#read()
    if (!this.deps.isReader || isThere(dates)) return dates
    this.#dates = undefined
    return this.#read()
  }

  #read(): Promise<Map<string, Dates[string]>> {
    this.#dates ??= this.#file.read().then((dates) => new Map(Object.entries(dates ?? {})))
    return this.#dates
  }

  /** Nobody waits for it: at worst clients fetch an index once more. */
  #save(dates: ReadonlyMap<string, Dates[string]>): void {
    this.#saved = this.#file.write(Object.fromEntries(dates)).catch((err: unknown) => {
      this.deps.log.warn({ err }, 'cannot save the dates of feeds')
    })
  }

  /** Resolves when all dates are on disk. */
  idle(): Promise<void> {
    return this.#saved
  }
}
