import type { ByteRange } from '../../core/byte-source'
import type { Clock } from '../../core/clock'
import type { RecordActivity } from '../../data/library/activity-deltas'

/** The place where a download was offered. */
export interface DownloadSource {
  projectId?: string | undefined
  /** Of a tester link or share link. */
  linkId?: string | undefined
}

/** Progress of a visitor is forgotten after this time without a request, in ms. */
export const KEPT_MS = 30 * 60_000
/** The most tracked unfinished downloads. The least recently used is evicted. */
const MAX_FOLLOWED = 10_000

interface Progress {
  readonly bytes: ByteSet
  requests: number
  isCounted: boolean
  touchedAt: number
  count(): void
}

/** A response in progress. */
export interface Download {
  /** Unsure bytes may have been lost in transit. */
  delivered(range: ByteRange, isSure: boolean): void
  end(): void
}

/**
 * Counts a download when a visitor has received every byte of a file. A resumed or segmented
 * download counts once; a probe or an aborted download never.
 */
export class Downloads {
  readonly #followed = new Map<string, Progress>()

  constructor(
    private readonly counts: {
      downloaded(visitor: string, fileId: string, source: DownloadSource): void
    },
    private readonly clock: Pick<Clock, 'now'>,
    /** Reports the bytes of parts, to add them up. Undefined: they are added up here. */
    private readonly recordActivity?: RecordActivity,
  ) {}

  /** Starts a request. Its bytes add to those of earlier requests. */
  begin = (
    visitor: string,
    file: { id: string; size: number },
    source: DownloadSource = {},
  ): Download => {
    const key = `${visitor} ${file.id} ${source.projectId ?? ''} ${source.linkId ?? ''}`
    const progress = this.#follow(key, () => this.counts.downloaded(visitor, file.id, source))
    progress.requests++

    return {
      delivered: ({ start, end }, isSure) => {
        // A client that resumes past unconfirmed bytes has received them. Only the last byte must
        // be confirmed.
        const last = isSure ? end : Math.min(end, file.size - 2)
        if (last < start) return

        progress.bytes.add({ start, end: last })

        if (progress.bytes.covers(file.size)) countOnce(progress)
        else
          this.recordActivity?.({
            kind: 'received',
            visitor,
            fileId: file.id,
            ...source,
            start,
            end: last,
          })
      },
      end: () => {
        progress.requests--
        progress.touchedAt = this.clock.now().getTime()
        const isDone = progress.isCounted || progress.bytes.isEmpty
        if (isDone && progress.requests === 0) this.#forget(key, progress)
      },
    }
  }

  /** Adds a part that was reported. */
  receive(
    visitor: string,
    file: { id: string; size: number },
    source: DownloadSource,
    range: ByteRange,
  ): void {
    const download = this.begin(visitor, file, source)
    download.delivered(range, true)
    download.end()
  }

  /** Counts running downloads: the library closes before they end. */
  countRunning(): void {
    for (const progress of this.#followed.values()) if (progress.requests > 0) countOnce(progress)
  }

  #follow(key: string, count: () => void): Progress {
    const now = this.clock.now().getTime()
    const existing = this.#followed.get(key)
    this.#followed.delete(key)

    const isFresh =
      existing !== undefined && (existing.requests > 0 || now - existing.touchedAt < KEPT_MS)

    const progress = isFresh
      ? existing
      : { bytes: new ByteSet(), requests: 0, isCounted: false, touchedAt: now, count }

    this.#followed.set(key, progress)
    if (this.#followed.size > MAX_FOLLOWED) this.#forgetOne()

    return progress
  }

  #forget(key: string, progress: Progress): void {
    if (this.#followed.get(key) === progress) this.#followed.delete(key)
  }

  /** Evicts the least recently used entry: each request moves its entry to the end. */
  #forgetOne(): void {
    const [oldest] = this.#followed.keys()
    if (oldest !== undefined) this.#followed.delete(oldest)
  }
}

function countOnce(progress: Progress): void {
  if (progress.isCounted) return
  progress.isCounted = true
  progress.count()
}

/** A client with more gaps is no longer tracked. */
const MAX_INTERVALS = 128

/** A set of byte positions, as ascending intervals with gaps. */
class ByteSet {
  #intervals: ByteRange[] = []

  get isEmpty(): boolean {
    return this.#intervals.length === 0
  }

  add({ start, end }: ByteRange): void {
    const before = this.#intervals.filter((interval) => interval.end + 1 < start)
    const after = this.#intervals.filter((interval) => interval.start > end + 1)
    const touched = this.#intervals.slice(before.length, this.#intervals.length - after.length)
    const joined = {
      start: Math.min(start, ...touched.map((interval) => interval.start)),
      end: Math.max(end, ...touched.map((interval) => interval.end)),
    }
    const next = [...before, joined, ...after]
    if (next.length <= MAX_INTERVALS) this.#intervals = next
  }

  /** Whether the set has each of the first `size` positions. */
  covers(size: number): boolean {
    const [first] = this.#intervals
    return first?.start === 0 && first.end >= size - 1
  }
}

/** A visitor counts once per item within this time, in ms. */
const WINDOW_MS = 30 * 60_000
/** Limits memory against clients that change identity per request. The oldest is evicted. */
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
