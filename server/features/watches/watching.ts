import { posix } from 'node:path'
import { withoutUnseen } from '../../contract/fields'
import { AppError } from '../../core/errors'
import type { Log } from '../../core/logging/log'
import { errorCode } from '../../data/durable-file'
import { FolderWatch, type WatchPace } from './folder-watch'
import { entryOf, type Entry } from './folder-look'
import { isSame } from './stillness'
import { takeBuild, type TakeNeeds } from './take-build'
import type { WatchRecord } from './watch-store'

/** What has become of a build. */
export interface WatchNews {
  watch: WatchRecord
  filename: string
  isPublic: boolean
  /** Why it was not published, for people; null: it was. */
  error: string | null
}

interface Needs extends TakeNeeds {
  pace: WatchPace
  log: Pick<Log, 'warn'>
  /** Whether the library takes no changes now. */
  isReadOnly(): boolean
  /** Whether the project is there; one in the trash may come back. */
  hasProject(projectId: string): boolean
}

type Status = FolderWatch['status']
const RESTING: Status = { state: 'watching', problem: null, publishing: null }

/** All watched folders at work. */
export class Watching {
  readonly #running = new Map<string, FolderWatch>()
  readonly #listeners = new Set<(news: WatchNews) => void>()
  #isClosed = false

  constructor(private readonly needs: Needs) {}

  /** Begins with what has appeared while nobody watched. */
  start(): void {
    for (const watch of this.needs.store.all()) this.#begin(watch)
  }

  /** A folder was added, changed or removed. */
  async refresh(watchId: string): Promise<void> {
    await this.#running.get(watchId)?.close()
    this.#running.delete(watchId)
    const watch = this.needs.store.find(watchId)
    if (watch) this.#begin(watch)
  }

  statusOf(watchId: string): Status {
    return this.#running.get(watchId)?.status ?? RESTING
  }

  /** Calls back when a build was published, or could not be. Answers how to end that. */
  onNews(listener: (news: WatchNews) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Ends what is under way; the next start goes on with it. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#running.values()].map((folder) => folder.close()))
  }

  #begin(watch: WatchRecord): void {
    if (watch.isPaused || this.#isClosed) return
    const { pace, log, store } = this.needs
    const folder = new FolderWatch(watch, {
      pace,
      log,
      isSeen: (entry) => store.isSeen(watch.id, entry),
      deal: (entry, signal) => this.#deal(watch, entry, signal),
    })
    this.#running.set(watch.id, folder)
  }

  async #deal(watch: WatchRecord, entry: Entry, signal: AbortSignal): Promise<void> {
    const { store } = this.needs
    // Nothing is copied for a library that cannot take it.
    if (this.needs.isReadOnly()) throw new AppError('read_only', 'The host cannot save changes right now')
    // A project that comes back from the trash does not publish what has piled up meanwhile.
    if (!this.needs.hasProject(watch.projectId)) return store.remember(watch.id, entry, 'present')
    try {
      const { isPublic } = await takeBuild(this.needs, watch, entry, signal)
      this.#tell({ watch, filename: entry.name, isPublic, error: null })
    } catch (cause) {
      if (!signal.aborted) await this.#explain(watch, entry, cause)
    }
  }

  async #explain(watch: WatchRecord, entry: Entry, cause: unknown): Promise<void> {
    const { store, log } = this.needs
    const { code, message } = cause instanceof AppError ? cause : unforeseen(cause)
    if (code === 'taken') return store.remember(watch.id, entry, 'known')
    // What is written to, moved or deleted meanwhile is no failure: the next look sees it as it is then.
    if (code === 'precondition_failed' || !isSame(entry, await entryOf(watch.folder, entry.name))) return
    if (code === 'internal') log.warn({ err: cause, file: entry.name }, 'cannot publish a build')
    await store.remember(watch.id, entry, 'failed', message)
    this.#tell({ watch, filename: entry.name, isPublic: watch.isPublic, error: message })
  }

  #tell(news: WatchNews): void {
    const filename = withoutUnseen(posix.basename(news.filename))
    for (const listener of this.#listeners) listener({ ...news, filename })
  }
}

const unforeseen = (cause: unknown) =>
  new AppError('internal', `It could not be published (${errorCode(cause) ?? 'unknown error'})`)
