import { DAY_MS } from '../../core/clock'
import { join } from 'node:path'
import { z } from 'zod'
import type { Disk } from '../../core/durable-file'
import { ReadOnlyHostError } from '../../core/errors'
import type { Log } from '../../core/logging/log'
import { StoredFile } from '../../data/stored-file'

/** Only the newest dates stay, so that the file stays small. */
const MOST = 10_000

const datesSchema = z.record(z.string(), z.object({ digest: z.string(), at: z.iso.datetime() }))
type Dates = z.infer<typeof datesSchema>

/** A date further in the future comes from a wrong clock: no client has fetched such an index. */
const AHEAD_MS = DAY_MS

/** The kinds of keys whose fingerprints clients remember. */
export type Signer = 'openpgp' | 'jar'
/** The keys of fingerprints among the dates. They are never removed. */
const SIGNERS = { openpgp: 'signer/openpgp', jar: 'signer/jar' } as const

interface Deps {
  dir: string
  disk: Disk
  now: () => Date
  log: Pick<Log, 'warn'>
  /** Whether another process stores the dates in this file. */
  isReadOnly?: boolean
}

/**
 * Saves when the content of each signed index last changed. apt ignores an index that is older than
 * the one it has, and fetches one with another date again. Without the file every index is dated
 * now.
 */
export class ContentDates {
  readonly #file: StoredFile<Dates>
  #saved: Promise<void> = Promise.resolve()
  #dates: Promise<Map<string, Dates[string]>> | undefined

  constructor(private readonly deps: Deps) {
    const path = join(deps.dir, 'feed-dates.json')
    this.#file = new StoredFile(datesSchema, path, { onDamage: () => null, disk: deps.disk })
  }

  /**
   * Returns the date of this content in whole seconds: the stored one, or a new one if the content
   * has changed. Throws ReadOnlyHostError.
   */
  async of(index: string, digest: string): Promise<Date> {
    const now = Math.floor(this.deps.now().getTime() / 1000) * 1000
    const find = (stored: Map<string, Dates[string]>) => {
      const entry = stored.get(index)
      return entry && Date.parse(entry.at) < now + AHEAD_MS ? entry : undefined
    }

    const dates = await this.#readUntil((stored) => find(stored)?.digest === digest)
    const before = find(dates)

    if (before?.digest === digest) return new Date(before.at)
    if (this.deps.isReadOnly) throw new ReadOnlyHostError()

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
   * Stores which key of a kind clients know: the first one that signed an index. Returns its
   * argument. Throws ReadOnlyHostError.
   */
  async remember(signer: Signer, fingerprint: string): Promise<string> {
    const dates = await this.#readUntil((stored) => stored.has(SIGNERS[signer]))
    if (dates.has(SIGNERS[signer])) return fingerprint
    if (this.deps.isReadOnly) throw new ReadOnlyHostError()
    dates.set(SIGNERS[signer], { digest: fingerprint, at: this.deps.now().toISOString() })
    this.#save(dates)
    return fingerprint
  }

  /** Returns the fingerprints of the keys that clients know. */
  async knownSigners(): Promise<Partial<Record<Signer, string>>> {
    const dates = await this.#read()
    const openpgp = dates.get(SIGNERS.openpgp)?.digest
    const jar = dates.get(SIGNERS.jar)?.digest
    return { ...(openpgp !== undefined && { openpgp }), ...(jar !== undefined && { jar }) }
  }

  /**
   * Forgets the known keys: clients then know the next keys that sign. Resolves when the change is
   * on disk.
   */
  async forgetSigners(): Promise<void> {
    const dates = await this.#read()
    for (const key of Object.values(SIGNERS)) dates.delete(key)
    await this.#file.write(Object.fromEntries(dates))
  }

  /**
   * Reads the dates; those of another process again if an entry is missing, which it may have
   * added.
   */
  async #readUntil(
    isThere: (dates: Map<string, Dates[string]>) => boolean,
  ): Promise<Map<string, Dates[string]>> {
    const dates = await this.#read()
    if (!this.deps.isReadOnly || isThere(dates)) return dates
    this.#dates = undefined
    return this.#read()
  }

  #read(): Promise<Map<string, Dates[string]>> {
    this.#dates ??= this.#file.read().then((dates) => new Map(Object.entries(dates ?? {})))
    return this.#dates
  }

  /** Saves in the background. If that fails, clients at worst fetch an index once more. */
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
