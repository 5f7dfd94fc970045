import { join, posix } from 'node:path'
import { withoutUnseen } from '../../contract/unseen'
import type { BuildWarning } from '../../contract/files/facts'
import { AppError } from '../../core/errors'
import type { Log } from '../../core/logging/log'
import { Signal } from '../../core/signal'
import { errorCode } from '../../core/durable-file'
import { FolderWatch, type WatchPace } from './folder-watch'
import { readEntry, type Entry } from './folder-look'
import { isSame } from './stillness'
import type { WatchRecord } from '../../data/records/watch-records'
import type { Projects } from '../../compose/projects'
import type { Transfers } from '../../compose/transfers'
import { versionInside, type Versioned } from '../../core/versions'
import type { LocalFile } from '../local-files/local-file'
import type { WatchStore } from './watch-store'

/** The result of publishing a build. */
export interface WatchNews {
  watch: WatchRecord
  filename: string
  isPublic: boolean
  warnings: readonly BuildWarning[]
  error: string | null
}

interface Deps extends TakeDeps {
  pace: WatchPace
  log: Pick<Log, 'warn'>
  isReadOnly(): boolean
  /** False also while the project is in the trash. */
  hasProject(projectId: string): boolean
}

type Status = FolderWatch['status']
const RESTING: Status = { state: 'watching', problem: null, publishing: null }

/** Runs all watched folders. */
export class Watching {
  readonly #running = new Map<string, FolderWatch>()
  readonly #news = new Signal<WatchNews>()
  #isClosed = false

  constructor(private readonly deps: Deps) {}

  /** Starts all folders, and handles files that appeared while stopped. */
  start(): void {
    for (const watch of this.deps.store.all()) this.#begin(watch)
  }

  async refresh(watchId: string): Promise<void> {
    // Another refresh may start a new one while the old one closes.
    for (let old; (old = this.#running.get(watchId)) !== undefined;) {
      await old.close()
      if (this.#running.get(watchId) === old) this.#running.delete(watchId)
    }
    const watch = this.deps.store.find(watchId)
    if (watch) this.#begin(watch)
  }

  statusOf(watchId: string): Status {
    return this.#running.get(watchId)?.status ?? RESTING
  }

  /** Calls back when a build is published or fails. Returns a function that unsubscribes. */
  onNews(listener: (news: WatchNews) => void): () => void {
    return this.#news.subscribe(listener)
  }

  /** Cancels running work. The next start resumes it. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#running.values()].map((folder) => folder.close()))
  }

  #begin(watch: WatchRecord): void {
    if (watch.isPaused || this.#isClosed) return
    const { pace, log, store } = this.deps
    const folder = new FolderWatch(watch, {
      pace,
      log,
      isSeen: (entry) => store.isSeen(watch.id, entry),
      deal: (entry, signal) => this.#deal(watch, entry, signal),
    })
    this.#running.set(watch.id, folder)
  }

  async #deal(watch: WatchRecord, entry: Entry, signal: AbortSignal): Promise<void> {
    const { store } = this.deps

    // Do not copy for a read-only library.
    if (this.deps.isReadOnly())
      throw new AppError('read_only', 'The host cannot save changes right now')

    // A restored project must not publish builds from its time in the trash.
    if (!this.deps.hasProject(watch.projectId)) return store.remember(watch.id, entry, 'present')

    try {
      const result = await takeBuild(this.deps, watch, entry, signal)
      this.#tell({ watch, filename: entry.name, ...result, error: null })
    } catch (cause) {
      if (!signal.aborted) await this.#explain(watch, entry, cause)
    }
  }

  async #explain(watch: WatchRecord, entry: Entry, cause: unknown): Promise<void> {
    const { store, log } = this.deps
    const { code, message } = cause instanceof AppError ? cause : unforeseen(cause)

    if (code === 'taken') return store.remember(watch.id, entry, 'known')

    // A file that changed or disappeared is no failure: the next scan handles it.
    if (code === 'precondition_failed' || !isSame(entry, await readEntry(watch.folder, entry.name)))
      return

    if (code === 'internal') log.warn({ err: cause, file: entry.name }, 'cannot publish a build')
    await store.remember(watch.id, entry, 'failed', message)
    this.#tell({
      watch,
      filename: entry.name,
      isPublic: watch.isPublic,
      warnings: [],
      error: message,
    })
  }

  #tell(news: WatchNews): void {
    const filename = withoutUnseen(posix.basename(news.filename))
    this.#news.emit({ ...news, filename })
  }
}

const unforeseen = (cause: unknown) =>
  new AppError('internal', `It could not be published (${errorCode(cause) ?? 'unknown error'})`)

interface TakeDeps {
  store: WatchStore
  publishLocal: Transfers['publishLocal']
  linkingTo: Projects['linkingTo']
  offers: (projectId: string, sha256: string) => boolean
  versionIn: (filename: string) => string | null
  isActive: (userId: string) => boolean
}

/**
 * Publishes a build for the project's owner and compares it with earlier ones. Throws AppError:
 * `taken` if the project has these bytes, `precondition_failed` if the file changed during the
 * copy.
 */
async function takeBuild(deps: TakeDeps, watch: WatchRecord, entry: Entry, signal: AbortSignal) {
  const { store, publishLocal, linkingTo, offers, versionIn, isActive } = deps
  const { ownerId, projectId, folder, versionFrom, isPublic } = watch

  if (!isActive(ownerId))
    throw new AppError('forbidden', 'The account that would publish it is disabled')
  const { link } = linkingTo({ kind: 'user', userId: ownerId, credential: 'session' }, projectId)

  const { name, size, modifiedMs } = entry
  const source: LocalFile = {
    path: join(folder, name),
    snapshot: { size, modifiedMs },
    within: folder,
  }

  const filename = posix.basename(name)
  const inName = versionIn(filename)
  // Null: publishing reads the version from the package.
  const version = versionFrom === 'name' ? inName : null

  const versionOf = (file: Versioned) => file.version ?? versionInside(file.facts) ?? inName

  const warnings = await publishLocal(
    source,
    { filename, version },
    { payerId: ownerId, signal },
    {
      place({ sha256 }) {
        if (store.hasTaken(projectId, sha256) || offers(projectId, sha256)) {
          throw new AppError('taken', 'The project already had a file with these bytes')
        }

        return {
          ownerId,
          payerId: ownerId,
          isOwn: true,
          isPublic,
          link: (tx, file) => link(tx, file, { version: versionOf(file) }),
        }
      },
      record(tx, file, warned = []) {
        const { sha256 } = file
        store.published(tx, watch, entry, { sha256, version: versionOf(file), warnings: warned })
        return warned
      },
    },
  )
  return { isPublic, warnings }
}
