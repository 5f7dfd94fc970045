import { watch as watchFolder, type FSWatcher } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../core/errors'
import type { Log } from '../../core/logging/log'
import { errorCode } from '../../data/durable-file'
import { entryOf, lookInto, type Entry } from './folder-look'
import { isSame, Stillness } from './stillness'
import type { WatchRecord } from './watch-store'

/** How long to wait, in ms; shorter for tests. */
export interface WatchPace {
  /** A file that is the same for so long is finished. */
  stillMs: number
  /** How often a folder is looked at of which the system tells nothing, as of many network drives. */
  lookMs: number
}

export const usualPace: WatchPace = { stillMs: 2000, lookMs: 5000 }

export interface FolderNeeds {
  pace: WatchPace
  log: Pick<Log, 'warn'>
  isSeen(entry: Entry): boolean
  /** Deals with a finished file, once and for all. Throws where it can neither be published nor be remembered. */
  deal(entry: Entry, signal: AbortSignal): Promise<void>
}

type State = { state: 'watching' | 'missing' | 'failing'; problem: string | null }

const WATCHING: State = { state: 'watching', problem: null }

/** A look costs at most this share of the time, however large the folder is. */
const LOOKING_SHARE = 1 / 20

/**
 * One folder at work. What counts is what a look at the folder finds; the system's own word that something has changed
 * only makes the next look come sooner, so nothing is lost where it says nothing, too much, or the wrong thing.
 */
export class FolderWatch {
  readonly #closing = new AbortController()
  readonly #stillness: Stillness
  /** Undefined handle: the system does not tell of changes here. */
  #watcher: { handle: FSWatcher | undefined; identity: string } | undefined
  #hurry = new AbortController()
  /** The last look alone, in ms: what it has found may take minutes to publish. */
  #lookTook = 0
  #state: State = WATCHING
  #publishing: string | null = null
  readonly #ended: Promise<void>

  constructor(
    private readonly watch: WatchRecord,
    private readonly needs: FolderNeeds,
  ) {
    this.#stillness = new Stillness(needs.pace.stillMs)
    this.#ended = this.#run()
  }

  get status(): State & { publishing: string | null } {
    return { ...this.#state, publishing: this.#publishing }
  }

  /** Ends what is under way. Nothing is half done then. */
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
    const finished = this.#stillness.settled(entries.filter((entry) => !this.needs.isSeen(entry)))
    for (const entry of finished) {
      if (this.#closing.signal.aborted) return
      await this.#deal(entry)
    }
    this.#state = WATCHING
  }

  async #deal(entry: Entry): Promise<void> {
    this.#stillness.forget(entry)
    // Somebody may have written to it while others were dealt with.
    if (!isSame(entry, await entryOf(this.watch.folder, entry.name))) return
    this.#publishing = entry.name
    try {
      await this.needs.deal(entry, this.#closing.signal)
    } finally {
      this.#publishing = null
    }
  }

  /** Files that may be finished soon are looked at often; else the system says when, or it is time again. */
  async #rest(): Promise<void> {
    const { stillMs, lookMs } = this.needs.pace
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

  /** Linux tells of one folder at a time: there, builds in folders below are found when it is time for the next look. */
  #ear(): FSWatcher | undefined {
    const { folder, withBelow } = this.watch
    try {
      const recursive = withBelow && process.platform !== 'linux'
      const handle = watchFolder(folder, { persistent: false, recursive }, () => this.#hurry.abort())
      return handle.on('error', () => handle.close())
    } catch (err) {
      this.needs.log.warn({ err }, 'the system does not report changes in a watched folder; scanning it instead')
      return undefined
    }
  }

  #explain(cause: unknown): void {
    if (this.#closing.signal.aborted) return
    const code = errorCode(cause)
    if (code === 'ENOENT' || code === 'ENOTDIR') this.#state = { state: 'missing', problem: null }
    else this.#state = { state: 'failing', problem: this.#words(cause, code) }
    // It may come back as another folder that the system calls by the same number.
    this.#watcher?.handle?.close()
    this.#watcher = undefined
  }

  #words(cause: unknown, code: string | undefined): string {
    if (code === 'EACCES' || code === 'EPERM') return 'Slipway has no permission to read this folder'
    if (cause instanceof AppError) return cause.message
    this.needs.log.warn({ err: cause }, 'cannot process a watched folder')
    return `Slipway cannot process this folder (${code ?? 'unknown error'})`
  }
}

/** Waits, or less where the signal comes. */
async function until(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
