import { countedBy, type CountedBy } from '../../contract/projects/statistics'
import type { Library, Transaction } from '../../data/library/library'

/** What a count belongs to: a version, a platform, a referrer or a tester link. Empty: unknown. */
interface Share {
  by: CountedBy
  value: string
}

/** Referrers come from visitors, so their number is bounded; the rest count as unknown. */
const MOST_VALUES = 200
/** Counters deleted in one transaction. */
const BATCH = 1000

const nameCounter = (projectId: string, { by, value }: Share, day: string) =>
  `project:${projectId}:by:${by}:${encodeURIComponent(value)}:${day}`
const shape = /^project:([\w-]+):by:(\w+):([^:]*):([\d-]+)$/
const dayAtEnd = /:(\d{4}-\d\d-\d\d)$/

/** Daily counts of a project by a property of the download or view. */
export class SplitCounts {
  /** The shares of each project that have counts. Read from the names of the counters on first use. */
  #byProject: Map<string, Map<string, Share>> | undefined

  constructor(private readonly library: Library) {}

  add(projectId: string, { by, value }: Share, day: string): void {
    const shares = this.#sharesOf(projectId)
    const isNew = !shares.has(`${by}:${value}`)
    const isFull =
      isNew && value !== '' && [...shares.values()].filter((share) => share.by === by).length >= MOST_VALUES
    const share = { by, value: isFull ? '' : value }
    shares.set(`${by}:${share.value}`, share)
    this.library.count(nameCounter(projectId, share, day))
  }

  /** For each share with counts on these days, its count on each of them. */
  history(projectId: string, days: readonly string[]): (Share & { days: number[] })[] {
    return [...this.#sharesOf(projectId).values()]
      .map((share) => ({ ...share, days: days.map((day) => this.library.counter(nameCounter(projectId, share, day))) }))
      .filter((share) => share.days.some((count) => count > 0))
  }

  /** Removes the counts of a project, in the transaction that deletes it. */
  forget(tx: Transaction, projectId: string): void {
    for (const name of this.library.counterNames()) {
      if (name.startsWith(`project:${projectId}:by:`)) tx.setCounter(name, undefined)
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
    if (old.length > 0) this.#byProject = undefined
  }

  #sharesOf(projectId: string): Map<string, Share> {
    this.#byProject ??= this.#read()
    const shares = this.#byProject.get(projectId) ?? new Map<string, Share>()
    this.#byProject.set(projectId, shares)
    return shares
  }

  #read(): Map<string, Map<string, Share>> {
    const byProject = new Map<string, Map<string, Share>>()
    for (const name of this.library.counterNames()) {
      const [, projectId = '', by = '', encoded = ''] = shape.exec(name) ?? []
      const dimension = countedBy.find((each) => each === by)
      if (dimension === undefined) continue
      const value = decodeURIComponent(encoded)
      const shares = byProject.get(projectId) ?? new Map<string, Share>()
      byProject.set(projectId, shares.set(`${by}:${value}`, { by: dimension, value }))
    }
    return byProject
  }
}
