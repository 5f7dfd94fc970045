import { watch as watchFolder, type FSWatcher } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../core/errors'
import type { Log } from '../../core/logging/log'
import { errorCode } from '../../core/durable-file'
import { readEntry, lookInto, type Entry } from './folder-look'
import { isSame, Stillness } from './stillness'
import type { WatchRecord } from '../../data/records/watch-records'

/** Intervals in ms; shorter in tests. */
export interface WatchPace {
  /** A file unchanged for this long is finished. */
  stillMs: number
  /** Polling interval where the system reports no changes, as on many network drives. */
  lookMs: number
}

export const usualPace: WatchPace = { stillMs: 2000, lookMs: 5000 }

export interface FolderDeps {
  pace: WatchPace
  log: Pick<Log, 'warn'>
  isSeen(entry: Entry): boolean
  /** Handles a finished file once. Throws if it can neither be published nor recorded. */
  deal(entry: Entry, signal: AbortSignal): Promise<void>
}

type State = { state: 'watching' | 'missing' | 'failing'; problem: string | null }

const WATCHING: State = { state: 'watching', problem: null }

/** The largest share of the time to spend scanning. */
const LOOKING_SHARE = 1 / 20

/**
 * Watches one folder. Only scans count; change events of the system merely schedule the next scan
 * earlier, so missing or wrong events lose nothing.
 */
export class FolderWatch {
  readonly #closing = new AbortController()
  readonly #stillness: Stillness
  /** The handle is undefined if the system reports no changes here. */
  #watcher: { handle: FSWatcher | undefined; identity: string } | undefined
  #hurry = new AbortController()
  /** Duration of the last scan in ms, without publishing. */
  #lookTook = 0
  #state: State = WATCHING
  #publishing: string | null = null
  readonly #ended: Promise<void>

  constructor(
    private readonly watch: WatchRecord,
    private readonly deps: FolderDeps,
  ) {
    this.#stillness = new Stillness(deps.pace.stillMs)
    this.#ended = this.#run()
  }

  get status(): State & { publishing: string | null } {
    return { ...this.#state, publishing: this.#publishing }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#hurry.abort()
    await this.#ended
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await this.#look().catch((cause: unknown) => this.#explain(cause))
      await this.#rest()
    }
    this.#watcher?.handle?.close()
  }

  async #look(): Promise<void> {
    const start = performance.now()
    const { entries, identity } = await lookInto(this.watch).finally(() => {
      this.#lookTook = performance.now() - start
    })

    this.#listen(identity)
    if (this.#state.state === 'missing') this.#state = WATCHING
    const finished = this.#stillness.settled(entries.filter((entry) => !this.deps.isSeen(entry)))

    for (const entry of finished) {
      if (this.#closing.signal.aborted) return
      await this.#deal(entry)
    }

    this.#state = WATCHING
  }

  async #deal(entry: Entry): Promise<void> {
    this.#stillness.forget(entry)
    // The file may have changed while others were handled.
    if (!isSame(entry, await readEntry(this.watch.folder, entry.name))) return
    this.#publishing = entry.name
    try {
      await this.deps.deal(entry, this.#closing.signal)
    } finally {
      this.#publishing = null
    }
  }

  /**
   * Polls often while files are about to finish; otherwise waits for a change event or the
   * interval.
   */
  async #rest(): Promise<void> {
    const { stillMs, lookMs } = this.deps.pace
    const least = Math.max(stillMs / 4, this.#lookTook / LOOKING_SHARE)
    await until(least, this.#closing.signal)
    if (!this.#stillness.isWaiting) await until(lookMs, this.#hurry.signal)
    if (!this.#closing.signal.aborted) this.#hurry = new AbortController()
  }

  #listen(identity: string): void {
    if (this.#watcher?.identity === identity) return
    this.#watcher?.handle?.close()
    this.#watcher = { handle: this.#ear(), identity }
  }

  /** Watches the folder. On Linux only polling finds builds in subfolders. */
  #ear(): FSWatcher | undefined {
    const { folder, withBelow } = this.watch
    try {
      const recursive = withBelow && process.platform !== 'linux'
      const handle = watchFolder(folder, { persistent: false, recursive }, () =>
        this.#hurry.abort(),
      )
      return handle.on('error', () => handle.close())
    } catch (err) {
      this.deps.log.warn(
        { err },
        'the system does not report changes in a watched folder; scanning it instead',
      )
      return undefined
    }
  }

  #explain(cause: unknown): void {
    if (this.#closing.signal.aborted) return
    const code = errorCode(cause)
    if (code === 'ENOENT' || code === 'ENOTDIR') this.#state = { state: 'missing', problem: null }
    else this.#state = { state: 'failing', problem: this.#words(cause, code) }
    // Another folder may get the same inode number.
    this.#watcher?.handle?.close()
    this.#watcher = undefined
  }

  #words(cause: unknown, code: string | undefined): string {
    if (code === 'EACCES' || code === 'EPERM')
      return 'Slipway has no permission to read this folder'
    if (cause instanceof AppError) return cause.message
    this.deps.log.warn({ err: cause }, 'cannot process a watched folder')
    return `Slipway cannot process this folder (${code ?? 'unknown error'})`
  }
}

async function until(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
