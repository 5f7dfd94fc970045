import { HISTORY_DAYS, type ProjectDay } from '../../contract'
import type { CountedBy } from '../../contract/projects/statistics'
import type { Library, Transaction } from '../../data/library/library'
import { DAY_MS, type Clock } from '../../core/clock'
import { SplitCounts } from './split-counts'

/** Where a download was offered. */
export interface DownloadSource {
  projectId?: string | undefined
  testerId?: string | undefined
}

/** Download and view counts, total and daily. Hot counters: on disk within a second, not with each reply. */
export class Counts {
  /** Downloads of files since the start. */
  downloads = 0

  readonly #visits: Visits
  readonly #split: SplitCounts

  /** `describe` names the version and platform of a file that a project offers; null: it has none. */
  constructor(
    private readonly library: Library,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly describe: (projectId: string, fileId: string) => Record<'version' | 'platform', string | null>,
  ) {
    this.#visits = new Visits(clock)
    this.#split = new SplitCounts(library)
  }

  downloadsOfFile = (fileId: string): number => this.library.counter(names.file(fileId))
  downloadsOfLink = (projectId: string, fileId: string): number => this.library.counter(names.link(projectId, fileId))
  downloadsOfProject = (projectId: string): number => this.library.counter(names.downloads(projectId))
  viewsOfProject = (projectId: string): number => this.library.counter(names.views(projectId))

  /** How often the page of a tester link was opened, and files were downloaded through it. */
  ofTester(id: string) {
    const openedAt = this.library.counter(names.tester(id, 'opened'))
    return {
      opens: this.library.counter(names.tester(id, 'opens')),
      downloads: this.library.counter(names.tester(id, 'downloads')),
      lastOpenedAt: openedAt === 0 ? null : new Date(openedAt).toISOString(),
    }
  }

  /** Counts a complete download by a visitor, also for the project and the tester link if given. */
  downloaded(visitor: string, fileId: string, { projectId, testerId }: DownloadSource = {}): void {
    if (testerId !== undefined && this.#visits.isFirst(visitor, `tester:${testerId}:file:${fileId}`)) {
      this.library.count(names.tester(testerId, 'downloads'))
    }
    if (this.#visits.isFirst(visitor, `file:${fileId}`)) {
      this.downloads++
      this.library.count(names.file(fileId))
    }
    if (projectId === undefined || !this.#visits.isFirst(visitor, `project:${projectId}:file:${fileId}`)) return
    this.library.count(names.link(projectId, fileId))
    this.library.count(names.downloads(projectId))
    const today = this.#day(0)
    this.library.count(names.downloads(projectId, today))
    const { version, platform } = this.describe(projectId, fileId)
    this.#split.add(projectId, { by: 'version', value: version ?? '' }, today)
    this.#split.add(projectId, { by: 'platform', value: platform ?? '' }, today)
    if (testerId !== undefined) this.#split.add(projectId, { by: 'tester', value: testerId }, today)
  }

  /** Counts a view of a public project page. `referrer`: the host name of the page that led there, or empty. */
  viewed(visitor: string, projectId: string, referrer = ''): void {
    if (!this.#visits.isFirst(visitor, `project:${projectId}`)) return
    const today = this.#day(0)
    this.library.count(names.views(projectId))
    this.library.count(names.views(projectId, today))
    this.#split.add(projectId, { by: 'referrer', value: referrer }, today)
  }

  /** Counts a view of the page of a tester link. */
  testerOpened(visitor: string, id: string): void {
    const opened = names.tester(id, 'opened')
    // Outside of a transaction a counter can only be added to.
    this.library.count(opened, this.clock.now().getTime() - this.library.counter(opened))
    if (this.#visits.isFirst(visitor, `tester:${id}`)) this.library.count(names.tester(id, 'opens'))
  }

  /** Removes the counts of a tester link, in the transaction that deletes it. */
  forgetTester(tx: Transaction, id: string): void {
    for (const what of ['opens', 'downloads', 'opened'] as const) tx.setCounter(names.tester(id, what), undefined)
  }

  /** The last `days` UTC days of a project, oldest first, including today. */
  history(projectId: string, days: number): ProjectDay[] {
    return this.#lastDays(days).map((date) => ({
      date,
      downloads: this.library.counter(names.downloads(projectId, date)),
      views: this.library.counter(names.views(projectId, date)),
    }))
  }

  /** The same days, split by version, platform, tester link (downloads) and referrer (views). */
  splitHistory(projectId: string, days: number): { by: CountedBy; value: string; days: number[] }[] {
    return this.#split.history(projectId, this.#lastDays(days))
  }

  /** Deletes daily counts older than a year. */
  sweep(): Promise<void> {
    return this.#split.sweep(this.#day(HISTORY_DAYS))
  }

  /** Removes the counts of a file, in the transaction that deletes it. */
  forgetFile(tx: Transaction, fileId: string): void {
    tx.setCounter(names.file(fileId), undefined)
  }

  /** Removes the counts of a project and its links, in the transaction that deletes it. */
  forgetProject(tx: Transaction, projectId: string, fileIds: readonly string[]): void {
    const days = [undefined, ...this.#lastDays(HISTORY_DAYS)]
    const counters = [
      ...fileIds.map((fileId) => names.link(projectId, fileId)),
      ...days.flatMap((day) => [names.downloads(projectId, day), names.views(projectId, day)]),
    ]
    for (const name of counters) if (this.library.counter(name) > 0) tx.setCounter(name, undefined)
    this.#split.forget(tx, projectId)
  }

  #lastDays(days: number): string[] {
    return Array.from({ length: days }, (_, index) => this.#day(days - 1 - index))
  }

  #day(ago: number): string {
    return new Date(this.clock.now().getTime() - ago * DAY_MS).toISOString().slice(0, 10)
  }
}

const suffix = (day: string | undefined) => (day === undefined ? '' : `:${day}`)

/** Counter names; with a day, those of that UTC day. */
const names = {
  file: (fileId: string) => `file:${fileId}:downloads`,
  link: (projectId: string, fileId: string) => `project:${projectId}:file:${fileId}:downloads`,
  downloads: (projectId: string, day?: string) => `project:${projectId}:downloads${suffix(day)}`,
  /** `opened`: when, in ms since 1970. */
  tester: (id: string, what: 'opens' | 'downloads' | 'opened') => `tester:${id}:${what}`,
  views: (projectId: string, day?: string) => `project:${projectId}:views${suffix(day)}`,
}

/** A visitor counts once per item within this time, in ms. */
const WINDOW_MS = 30 * 60_000
/** Bounds memory against clients that change identity per request (oldest evicted). */
const MOST = 100_000

/** Remembers counted visits, so that reloads and retries do not inflate the numbers. */
export class Visits {
  /** Time of counting, oldest first. */
  readonly #seen = new Map<string, number>()

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Whether this is the visitor's first visit of `thing` within 30 minutes; records it. */
  isFirst(visitor: string, thing: string): boolean {
    const now = this.clock.now().getTime()
    this.#forget(now - WINDOW_MS)
    const key = `${visitor} ${thing}`
    if (this.#seen.has(key)) return false
    this.#seen.set(key, now)
    const [oldest] = this.#seen.size > MOST ? this.#seen.keys() : []
    if (oldest !== undefined) this.#seen.delete(oldest)
    return true
  }

  #forget(until: number): void {
    for (const [key, seenAt] of this.#seen) {
      if (seenAt > until) return
      this.#seen.delete(key)
    }
  }
}
