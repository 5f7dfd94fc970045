import type { World } from '../../core/clock'
import { ByteSet } from './byte-set'
import type { Counts } from './counts'

/** So long after its last request, what a visitor has of a file is forgotten, in ms. */
const KEPT_MS = 30 * 60_000
/** So many unfinished downloads are followed; the one that rests longest is forgotten first. */
const MAX_FOLLOWED = 10_000

/** What a visitor has been given of a file, over however many requests. */
interface Progress {
  readonly bytes: ByteSet
  /** Requests that are being answered. */
  requests: number
  isCounted: boolean
  touchedAt: number
}

/** One answer on its way. */
export interface Download {
  /** Bytes that are not sure may have been lost on their way. */
  delivered(range: { start: number; end: number }, isSure: boolean): void
  end(): void
}

/**
 * Counts a download when a visitor has been given every byte of a file, in one piece or in many: a resumed download and
 * one in eight segments count once, and a probe or an aborted one does not count.
 */
export class Downloads {
  readonly #followed = new Map<string, Progress>()

  constructor(
    private readonly counts: Pick<Counts, 'downloaded'>,
    private readonly world: Pick<World, 'now'>,
  ) {}

  /** A request for bytes of a file begins; its bytes belong together with those of earlier ones. */
  begin = (visitor: string, file: { id: string; size: number }, projectId?: string): Download => {
    const key = `${visitor} ${file.id} ${projectId ?? ''}`
    const progress = this.#follow(key)
    progress.requests++
    return {
      delivered: ({ start, end }, isSure) => {
        // Who goes on behind them has them. Who does not has no last byte either, which has to be sure.
        const last = isSure ? end : Math.min(end, file.size - 2)
        if (last >= start) progress.bytes.add({ start, end: last })
        if (!isSure || progress.isCounted || !progress.bytes.covers(file.size)) return
        progress.isCounted = true
        this.counts.downloaded(visitor, file.id, projectId)
      },
      end: () => {
        progress.requests--
        progress.touchedAt = this.world.now().getTime()
        const isDone = progress.isCounted || progress.bytes.isEmpty
        if (isDone && progress.requests === 0) this.#forget(key, progress)
      },
    }
  }

  #follow(key: string): Progress {
    const now = this.world.now().getTime()
    const known = this.#followed.get(key)
    this.#followed.delete(key)
    const isFresh = known !== undefined && (known.requests > 0 || now - known.touchedAt < KEPT_MS)
    const progress = isFresh ? known : { bytes: new ByteSet(), requests: 0, isCounted: false, touchedAt: now }
    this.#followed.set(key, progress)
    if (this.#followed.size > MAX_FOLLOWED) this.#forgetOne()
    return progress
  }

  #forget(key: string, progress: Progress): void {
    if (this.#followed.get(key) === progress) this.#followed.delete(key)
  }

  /** The first one rests longest, as each request moves its own to the end. */
  #forgetOne(): void {
    const [oldest] = this.#followed.keys()
    if (oldest !== undefined) this.#followed.delete(oldest)
  }
}
