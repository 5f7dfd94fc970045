import { join } from 'node:path'
import { z } from 'zod'
import type { Disk } from '../../../core/durable-file'
import { ReaderError } from '../../../core/errors'
import type { Log } from '../../../core/logging/log'
import { Serial } from '../../../core/serial'
import { FEED_HISTORY } from '../../../data/settings/secrets'
import { StoredFile } from '../../../data/stored-file'

/** The most states of one repository. After them its history begins again. */
const MOST_STATES = 1000
/**
 * The most of all, which bounds the file to some 20 MB. The account with the most states loses the
 * history that changed the longest ago, so that no account displaces the histories of others.
 */
const MOST_IN_ALL = 20_000

const stateSchema = z.object({
  /** In seconds since 1970. */
  at: z.int(),
  /** The newest release. */
  version: z.string(),
  path: z.string(),
  /** Of the file; empty: there was none. */
  content: z.string(),
})
/** What a repository said at a time. */
export type TapState = z.infer<typeof stateSchema>

const historiesSchema = z.record(z.string(), z.array(stateSchema).min(1))
type Histories = ReadonlyMap<string, readonly TapState[]>

/** The id of the project of a repository, by the key of its history. */
export const projectOf = (key: string): string => key.split('/')[2] ?? ''

interface Deps {
  dir: string
  disk: Disk
  log: Pick<Log, 'warn'>
  /** The account of a repository, by its key. */
  ownerOf?: (key: string) => string | undefined
  /** Whether this host is a reader of a cluster, whose writer keeps the histories. */
  isReader?: boolean
}

/**
 * What each Git repository has said, so that clients pull what is new: a commit needs the ones
 * before it. Without the file, or with a damaged one, all histories begin again.
 */
export class TapHistories {
  readonly #file: StoredFile<z.infer<typeof historiesSchema>>
  readonly #changes = new Serial()
  #histories: Histories | undefined

  constructor(private readonly deps: Deps) {
    const path = join(deps.dir, FEED_HISTORY)
    this.#file = new StoredFile(historiesSchema, path, {
      onDamage: () => undefined,
      disk: deps.disk,
    })
  }

  /**
   * Returns the states of a repository with its present one, the oldest first, once that is on
   * disk: clients may keep it. On a full disk they end with the one before. Empty: it has never
   * said anything. Throws ReaderError.
   */
  add(key: string, present: TapState): Promise<readonly TapState[]> {
    return this.#changes.run(async () => {
      if (this.deps.isReader) this.#histories = undefined
      const histories = (this.#histories ??= new Map(
        Object.entries((await this.#file.read()) ?? {}),
      ))
      const before = histories.get(key) ?? []
      const last = before.at(-1)
      const isSame = last?.content === present.content && last.path === present.path
      if (isSame || (!last && present.content === '')) return before
      if (this.deps.isReader) throw new ReaderError()
      const state = { ...present, at: Math.max(present.at, (last?.at ?? 0) + 1) }
      const states = [...(before.length < MOST_STATES ? before : []), state]
      try {
        await this.#write(withNewest(histories, { key, states, ownerOf: this.deps.ownerOf }))
        return states
      } catch (err) {
        if (!last) throw err
        this.deps.log.warn({ err }, 'cannot save the history of a Git repository')
        return before
      }
    })
  }

  async #write(histories: Histories): Promise<void> {
    await this.#file.write(Object.fromEntries(histories) as z.infer<typeof historiesSchema>)
    this.#histories = histories
  }
}

interface Newest {
  key: string
  states: readonly TapState[]
  ownerOf: Deps['ownerOf']
}

function withNewest(before: Histories, { key, states, ownerOf = () => '' }: Newest): Histories {
  const histories = new Map(before)
  histories.delete(key)
  histories.set(key, states)
  const byOwner = Map.groupBy(histories, ([it]) => ownerOf(it) ?? '')
  const owners = [...byOwner.values()].map((own) => ({
    own,
    count: own.reduce((sum, [, { length }]) => sum + length, 0),
  }))
  let count = owners.reduce((sum, owner) => sum + owner.count, 0)

  while (count > MOST_IN_ALL) {
    const largest = owners.reduce((most, owner) => (owner.count > most.count ? owner : most))
    const [oldest, { length }] = largest.own.shift() ?? [key, states]
    histories.delete(oldest)
    largest.count -= length
    count -= length
  }
  return histories
}
