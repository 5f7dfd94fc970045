import { join } from 'node:path'
import { z } from 'zod'
import type { Disk } from '../../../core/durable-file'
import { ReadOnlyHostError } from '../../../core/errors'
import type { Log } from '../../../core/logging/log'
import { Serial } from '../../../core/serial'
import { FEED_HISTORY } from '../../../data/settings/secrets'
import { StoredFile } from '../../../data/stored-file'

/** The most states of a repository. The history then begins again. */
const MOST_STATES = 1000
/**
 * The most states of all repositories: limits the file to about 20 MB. The account with the most
 * states loses the history that changed the longest ago, so that no account evicts those of others.
 */
const MOST_IN_ALL = 20_000

const stateSchema = z.object({
  /** In seconds since 1970. */
  at: z.int(),
  /** The version of the newest release. */
  version: z.string(),
  path: z.string(),
  /** Content of the file. Empty if there was none. */
  content: z.string(),
})
/** The content of a repository at one time. */
export type TapState = z.infer<typeof stateSchema>

const historiesSchema = z.record(z.string(), z.array(stateSchema).min(1))
type Histories = ReadonlyMap<string, readonly TapState[]>

/** Returns the id of the project of a repository, from the key of its history. */
export const projectOf = (key: string): string => key.split('/')[2] ?? ''

interface Deps {
  dir: string
  disk: Disk
  log: Pick<Log, 'warn'>
  /** Returns the account that owns a repository, by its key. */
  ownerOf?: (key: string) => string | undefined
  /** Whether another process stores the histories in this file. */
  isReadOnly?: boolean
}

/**
 * Stores the past states of each Git repository: a client pulls incrementally only if the commits
 * it has stay the same. If the file is missing or damaged, all histories begin again.
 */
export class TapHistories {
  readonly #file: StoredFile<z.infer<typeof historiesSchema>>
  readonly #changes = new Serial()
  #histories: Histories | undefined

  constructor(private readonly deps: Deps) {
    const path = join(deps.dir, FEED_HISTORY)
    this.#file = new StoredFile(historiesSchema, path, { onDamage: () => null, disk: deps.disk })
  }

  /**
   * Adds the present state to a repository. Returns all states, the oldest first, once they are on
   * disk, because clients may store them. On a full disk the present state is missing. Empty if
   * there has never been content. Throws ReadOnlyHostError.
   */
  add(key: string, present: TapState): Promise<readonly TapState[]> {
    return this.#changes.run(async () => {
      if (this.deps.isReadOnly) this.#histories = undefined
      const histories = (this.#histories ??= new Map(
        Object.entries((await this.#file.read()) ?? {}),
      ))

      const before = histories.get(key) ?? []
      const last = before.at(-1)
      const isSame = last?.content === present.content && last.path === present.path
      if (isSame || (!last && present.content === '')) return before

      if (this.deps.isReadOnly) throw new ReadOnlyHostError()

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
