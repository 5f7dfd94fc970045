import { HISTORY_DAYS, type ProjectDay } from '../../contract'
import { countedBy, type CountedBy } from '../../contract/projects/statistics'
import type { Library, Transaction } from '../../data/library/library'
import type { RecordActivity } from '../../data/library/activity-deltas'
import { DAY_MS, type Clock } from '../../core/clock'
import { Signal } from '../../core/signal'
import { Visits, type DownloadSource } from './downloads'

/** A version of a project for a platform; null: unknown. */
export type Build = Record<'version' | 'platform', string | null>

/**
 * Counts downloads and views, in total and per day. The counters reach the disk within a second,
 * not with each response.
 */
export class Counts {
  /** Downloads of files since the start. */
  downloads = 0
  /**
   * Emitted when a project's count of downloads changes. Listeners run before the count is on disk,
   * and must not throw.
   */
  readonly counted = new Signal<{ projectId: string; downloads: number }>()

  /** Emitted when a tester link is known to have a version. The same holds for listeners. */
  readonly took = new Signal<{ linkId: string } & Build>()

  readonly #visits: Visits
  readonly #split: SplitCounts

  /**
   * `describe` returns version and platform of a file that a project offers. `recordActivity`:
   * counts elsewhere.
   */
  constructor(
    private readonly library: Library,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly describe: (projectId: string, fileId: string) => Build,
    private readonly recordActivity?: RecordActivity,
  ) {
    this.#visits = new Visits(clock)
    this.#split = new SplitCounts(library, recordActivity !== undefined)
  }

  downloadsOfFile = (fileId: string): number => this.library.counter(names.file(fileId))
  downloadsOfLink = (projectId: string, fileId: string): number =>
    this.library.counter(names.link(projectId, fileId))
  downloadsOfProject = (projectId: string): number =>
    this.library.counter(names.downloads(projectId))
  viewsOfProject = (projectId: string): number => this.library.counter(names.views(projectId))

  /**
   * Returns how often the page of a tester link or share link was opened, and files were
   * downloaded through it, and when a program last asked for updates.
   */
  ofAccessLink(id: string) {
    const timeOf = (what: 'opened' | 'asked') => {
      const at = this.library.counter(names.accessLink(id, what))
      return at === 0 ? null : new Date(at).toISOString()
    }

    return {
      opens: this.library.counter(names.accessLink(id, 'opens')),
      downloads: this.library.counter(names.accessLink(id, 'downloads')),
      lastOpenedAt: timeOf('opened'),
      lastAskedAt: timeOf('asked'),
    }
  }

  /** Counts a complete download by a visitor, also for the project and the tester link if given. */
  downloaded(visitor: string, fileId: string, { projectId, linkId }: DownloadSource = {}): void {
    if (this.recordActivity)
      return this.recordActivity({ kind: 'downloaded', visitor, fileId, projectId, linkId })

    if (linkId !== undefined && projectId !== undefined)
      this.took.emit({ linkId, ...this.describe(projectId, fileId) })

    if (linkId !== undefined && this.#visits.isFirst(visitor, `tester:${linkId}:file:${fileId}`)) {
      this.library.count(names.accessLink(linkId, 'downloads'))
    }

    if (this.#visits.isFirst(visitor, `file:${fileId}`)) {
      this.downloads++
      this.library.count(names.file(fileId))
    }

    if (
      projectId === undefined ||
      !this.#visits.isFirst(visitor, `project:${projectId}:file:${fileId}`)
    )
      return

    this.library.count(names.link(projectId, fileId))
    this.library.count(names.downloads(projectId))
    this.counted.emit({ projectId, downloads: this.downloadsOfProject(projectId) })

    const today = this.#day(0)
    this.library.count(names.downloads(projectId, today))

    const { version, platform } = this.describe(projectId, fileId)
    this.#split.add(projectId, { by: 'version', value: version ?? '' }, today)
    this.#split.add(projectId, { by: 'platform', value: platform ?? '' }, today)
    if (linkId !== undefined) this.#split.add(projectId, { by: 'tester', value: linkId }, today)
  }

  /**
   * Counts a view of a public project page. `referrer`: the host name of the page that led there,
   * or empty.
   */
  viewed(visitor: string, projectId: string, referrer = ''): void {
    if (this.recordActivity)
      return this.recordActivity({ kind: 'viewed', visitor, projectId, referrer })
    if (!this.#visits.isFirst(visitor, `project:${projectId}`)) return
    const today = this.#day(0)
    this.library.count(names.views(projectId))
    this.library.count(names.views(projectId, today))
    this.#split.add(projectId, { by: 'referrer', value: referrer }, today)
  }

  /** Counts a view of the page of a tester link or share link. */
  accessLinkOpened(visitor: string, id: string): void {
    if (this.recordActivity) return this.recordActivity({ kind: 'opened', visitor, linkId: id })
    this.#setTime(names.accessLink(id, 'opened'))
    if (this.#visits.isFirst(visitor, `tester:${id}`))
      this.library.count(names.accessLink(id, 'opens'))
  }

  /** Notes that a program asked for updates by a tester link. `has`: what it said to have. */
  updatesAsked(linkId: string, has?: Build): void {
    if (this.recordActivity) return this.recordActivity({ kind: 'asked', linkId, has })
    this.#setTime(names.accessLink(linkId, 'asked'))
    if (has) this.took.emit({ linkId, ...has })
  }

  /** Returns the last `days` UTC days of a project, oldest first, including today. */
  history(projectId: string, days: number): ProjectDay[] {
    return this.#lastDays(days).map((date) => ({
      date,
      downloads: this.library.counter(names.downloads(projectId, date)),
      views: this.library.counter(names.views(projectId, date)),
    }))
  }

  /**
   * Returns the same days, split by version, platform, tester link (downloads) and referrer
   * (views).
   */
  splitHistory(
    projectId: string,
    days: number,
  ): { by: CountedBy; value: string; days: number[] }[] {
    return this.#split.history(projectId, this.#lastDays(days))
  }

  /** Deletes daily counts older than a year. */
  sweep(): Promise<void> {
    return this.#split.sweep(this.#day(HISTORY_DAYS))
  }

  /** Removes the counts of a file, and of its own links, in the transaction that deletes it. */
  forgetFile(
    tx: Transaction,
    id: string,
    links: readonly Record<'projectId' | 'fileId', string>[],
  ): void {
    tx.setCounter(names.file(id), undefined)
    for (const { projectId, fileId } of links)
      if (fileId === id) tx.setCounter(names.link(projectId, id), undefined)
  }

  /** Removes the counts of a project and its links, in the transaction that deletes it. */
  forgetProject(tx: Transaction, projectId: string): void {
    this.#split.forget(tx, projectId)
  }

  #setTime(counter: string): void {
    // Outside of a transaction a counter can only be incremented.
    this.library.count(counter, this.clock.now().getTime() - this.library.counter(counter))
  }

  #lastDays(days: number): string[] {
    return Array.from({ length: days }, (_, index) => this.#day(days - 1 - index))
  }

  #day(ago: number): string {
    return new Date(this.clock.now().getTime() - ago * DAY_MS).toISOString().slice(0, 10)
  }
}

const suffix = (day: string | undefined) => (day === undefined ? '' : `:${day}`)

const ofLinks = ['opens', 'downloads', 'opened', 'asked'] as const

/** Counter names. With a day, those of that UTC day. */
const names = {
  file: (fileId: string) => `file:${fileId}:downloads`,
  link: (projectId: string, fileId: string) => `project:${projectId}:file:${fileId}:downloads`,
  downloads: (projectId: string, day?: string) => `project:${projectId}:downloads${suffix(day)}`,
  /** `opened`, `asked`: the last time, in ms since 1970. */
  accessLink: (id: string, what: (typeof ofLinks)[number]) => `tester:${id}:${what}`,
  views: (projectId: string, day?: string) => `project:${projectId}:views${suffix(day)}`,
}

/** Removes the counts of an access link, in the transaction that deletes it. */
export function forgetAccessLink(tx: Transaction, id: string): void {
  for (const what of ofLinks) tx.setCounter(names.accessLink(id, what), undefined)
}

/** Removes when an access link was last used, in the transaction that forgets its person. */
export function forgetTimes(tx: Transaction, id: string): void {
  for (const what of ['opened', 'asked'] as const)
    tx.setCounter(names.accessLink(id, what), undefined)
}

/**
 * The property that a count is split by: a version, a platform, a referrer or a tester link. Empty
 * if unknown.
 */
interface Share {
  by: CountedBy
  value: string
}

/** Visitors choose referrers, so their number is limited. The others count as unknown. */
const MOST_VALUES = 200
/** The most counters to delete in one transaction. */
const BATCH = 1000

/** The name of the counters of a share, to which each adds its day. */
const nameCounters = (projectId: string, { by, value }: Share) =>
  `project:${projectId}:by:${by}:${Buffer.from(value).toString('base64url')}:`
const shape = /^project:([\w-]+):by:(\w+):([^:]*):[\d-]+$/
const dayAtEnd = /:(\d{4}-\d\d-\d\d)$/

/** Parses the name of a counter. Returns undefined if it is not split. */
function readName(name: string): { projectId: string; share: Share } | undefined {
  const [, projectId = '', by = '', encoded = ''] = shape.exec(name) ?? []
  const dimension = countedBy.find((each) => each === by)
  if (dimension === undefined) return undefined
  return {
    projectId,
    share: { by: dimension, value: Buffer.from(encoded, 'base64url').toString() },
  }
}

const keyOf = ({ by, value }: Share) => `${by}:${value}`
const cutDay = (name: string) => name.slice(0, name.lastIndexOf(':'))

/** Daily counts of a project by a property of the download or view. */
export class SplitCounts {
  /** The shares of each project. Read from the names of the counters on first use. */
  #byProject: Map<string, Map<string, Share>> | undefined

  /** `isElsewhere`: another process counts, so counters change without notice here. */
  constructor(
    private readonly library: Library,
    private readonly isElsewhere = false,
  ) {}

  add(projectId: string, { by, value }: Share, day: string): void {
    const shares = this.#sharesOf(projectId)
    const isNew = !shares.has(keyOf({ by, value }))
    const isFull =
      isNew &&
      value !== '' &&
      [...shares.values()].filter((share) => share.by === by).length >= MOST_VALUES
    const share = { by, value: isFull ? '' : value }
    shares.set(keyOf(share), share)
    this.library.count(nameCounters(projectId, share) + day)
  }

  /** Returns for each share with counts on these days its count per day. */
  history(projectId: string, days: readonly string[]): (Share & { days: number[] })[] {
    return [...this.#sharesOf(projectId).values()]
      .map((share) => {
        const name = nameCounters(projectId, share)
        return { ...share, days: days.map((day) => this.library.counter(name + day)) }
      })
      .filter((share) => share.days.some((count) => count > 0))
  }

  /**
   * Removes all counts of a project, including those that are not split, in the transaction that
   * deletes it.
   */
  forget(tx: Transaction, projectId: string): void {
    for (const name of this.library.counterNames()) {
      if (name.startsWith(`project:${projectId}:`)) tx.setCounter(name, undefined)
    }
    this.#byProject?.delete(projectId)
  }

  /** Deletes the daily counts before a UTC day. */
  async sweep(firstDay: string): Promise<void> {
    const isOld = (name: string) => (dayAtEnd.exec(name)?.[1] ?? firstDay) < firstDay
    const old = [...this.library.counterNames()].filter(isOld)
    for (let start = 0; start < old.length; start += BATCH) {
      const names = old.slice(start, start + BATCH)
      await this.library.transact((tx) => names.forEach((name) => tx.setCounter(name, undefined)))
    }
    this.#forgetShares(old)
  }

  /** Forgets shares without remaining counters: reading all names again would take a second. */
  #forgetShares(gone: readonly string[]): void {
    const ended = new Map(gone.map((name) => [cutDay(name), name]))
    if (ended.size > 0) for (const name of this.library.counterNames()) ended.delete(cutDay(name))
    for (const { projectId, share } of [...ended.values()].flatMap((name) => readName(name) ?? []))
      this.#byProject?.get(projectId)?.delete(keyOf(share))
  }

  #sharesOf(projectId: string): Map<string, Share> {
    if (this.isElsewhere)
      return this.#read(`project:${projectId}:by:`).get(projectId) ?? new Map<string, Share>()
    this.#byProject ??= this.#read()
    const shares = this.#byProject.get(projectId) ?? new Map<string, Share>()
    this.#byProject.set(projectId, shares)
    return shares
  }

  #read(beginning = ''): Map<string, Map<string, Share>> {
    const byProject = new Map<string, Map<string, Share>>()

    for (const name of this.library.counterNames()) {
      if (!name.startsWith(beginning)) continue
      const counted = readName(name)
      if (counted === undefined) continue

      const { projectId, share } = counted
      byProject.set(
        projectId,
        (byProject.get(projectId) ?? new Map<string, Share>()).set(keyOf(share), share),
      )
    }

    return byProject
  }
}
