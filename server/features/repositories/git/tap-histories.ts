import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { syncDir, type Disk } from '../../../core/durable-file'
import { ReadOnlyHostError } from '../../../core/errors'
import type { Log } from '../../../core/logging/log'
import { Serial } from '../../../core/serial'
import {
  FEED_HISTORY,
  feedHistoryOf,
  listFeedHistories,
  OLD_FEED_HISTORY,
} from '../../../data/settings/feed-history'
import { StoredFile } from '../../../data/stored-file'

/** The most states of a repository. The history then begins again. */
const MOST_STATES = 1000
/**
 * The most states of all repositories: limits them to about 20 MB. The account with the most
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
type StoredHistories = z.infer<typeof historiesSchema>
type Histories = ReadonlyMap<string, readonly TapState[]>

/** Returns the id of the project of a repository, from the key of its history. */
export const projectOf = (key: string): string => key.split('/')[2] ?? ''

interface Deps {
  dir: string
  disk: Disk
  log: Pick<Log, 'warn'>
  /** Returns the account that owns a repository, by its key. */
  ownerOf?: (key: string) => string | undefined
  /** Whether another process stores the histories in this folder. */
  isReadOnly?: boolean
}

/**
 * Stores the past states of each Git repository, in one file per project: a client pulls
 * incrementally only if the commits it has stay the same. If a file is missing or damaged, its
 * histories begin again.
 */
export class TapHistories {
  /** The histories of all projects before each had a file. It is read once, and then replaced. */
  readonly #old: StoredFile<StoredHistories>
  readonly #changes = new Serial()
  #histories: Histories | undefined
  /** The projects whose histories are in the old file alone; undefined: that file is gone. */
  #unmoved: Set<string> | undefined

  constructor(private readonly deps: Deps) {
    this.#old = this.#open(OLD_FEED_HISTORY)
  }

  /**
   * Adds the present state to a repository. Returns all states, the oldest first, once they are on
   * disk, because clients may store them. On a full disk the present state is missing. Empty if
   * there has never been content. Throws ReadOnlyHostError.
   */
  add(key: string, present: TapState): Promise<readonly TapState[]> {
    return this.#changes.run(async () => {
      const histories = this.deps.isReadOnly
        ? await this.#readOne(projectOf(key))
        : (this.#histories ??= await this.#readAll())

      const before = histories.get(key) ?? []
      const last = before.at(-1)
      const isSame = last?.content === present.content && last.path === present.path
      if (isSame || (!last && present.content === '')) return before

      if (this.deps.isReadOnly) throw new ReadOnlyHostError()

      const state = { ...present, at: Math.max(present.at, (last?.at ?? 0) + 1) }
      const states = [...(before.length < MOST_STATES ? before : []), state]

      try {
        const after = withNewest(histories, { key, states, ownerOf: this.deps.ownerOf })
        await this.#write(projectOf(key), histories, after)
        return states
      } catch (err) {
        if (!last) throw err
        this.deps.log.warn({ err }, 'cannot save the history of a Git repository')
        return before
      }
    })
  }

  /** Removes the histories of a project that was permanently deleted. */
  forget(project: string): Promise<void> {
    return this.#changes.run(async () => {
      const histories = (this.#histories ??= await this.#readAll())
      const after = new Map([...histories].filter(([key]) => projectOf(key) !== project))
      if (after.size < histories.size) await this.#write(project, histories, after)
    })
  }

  #open(name: string): StoredFile<StoredHistories> {
    const path = join(this.deps.dir, name)
    return new StoredFile(historiesSchema, path, { onDamage: () => null, disk: this.deps.disk })
  }

  async #readOne(project: string): Promise<Histories> {
    const own = await this.#open(feedHistoryOf(project)).read()
    return new Map(Object.entries(own ?? (await this.#old.read()) ?? {}))
  }

  /** Reads all histories, the ones that changed the longest ago first. */
  async #readAll(): Promise<Histories> {
    const old = Object.entries((await this.#old.read()) ?? {})
    const moved = new Set<string>()
    const own: [string, readonly TapState[]][] = []

    for (const path of await listFeedHistories(this.deps.dir)) {
      moved.add(basename(path, '.json'))
      own.push(...Object.entries((await this.#open(path).read()) ?? {}))
    }

    const unmoved = old.filter(([key]) => !moved.has(projectOf(key)))
    this.#unmoved = new Set(unmoved.map(([key]) => projectOf(key)))

    const changedAt = (states: readonly TapState[]) => states.at(-1)?.at ?? 0
    own.sort(([, a], [, b]) => changedAt(a) - changedAt(b))
    return new Map([...unmoved, ...own])
  }

  /** Writes the files of the changed project, of those that lost a history, and of unmoved ones. */
  async #write(project: string, before: Histories, after: Histories): Promise<void> {
    const lost = [...before.keys()].filter((key) => !after.has(key)).map(projectOf)
    const byProject = Map.groupBy(after, ([key]) => projectOf(key))

    if (this.#unmoved) {
      await mkdir(join(this.deps.dir, FEED_HISTORY), { recursive: true, mode: 0o700 })
      await syncDir(this.deps.dir, this.deps.disk)
    }

    for (const it of new Set([project, ...lost, ...(this.#unmoved ?? [])])) {
      const file = this.#open(feedHistoryOf(it))
      const own = byProject.get(it)
      if (own) await file.write(Object.fromEntries(own) as StoredHistories)
      else await file.remove()
    }

    if (this.#unmoved) await this.#old.remove()
    this.#unmoved = undefined
    this.#histories = after
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
