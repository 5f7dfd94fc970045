import { setTimeout as pause } from 'node:timers/promises'
import { Bandwidth, createPacer, type Flow } from '../../../http/transfers/bandwidth'

/** How much longer than it sent a copy rests for visitors: they get three quarters. */
const REST = 3
/** Shorter rests are added up, and longer ones are cancel: stores close silent connections. In ms. */
const LEAST_REST_MS = 50
const MOST_REST_MS = 10_000
/** How often to look whether the visitors have left, in ms. */
const LOOK_MS = 200

/** What slows copies down. */
export interface PaceDeps {
  /** The limit of all copies; null: none. */
  bytesPerSecond: () => number | null
  /** Bandwidth behind visitors, from the limits of the host. */
  sendBehind: (name: string) => Flow
  /** Whether visitors send many calls, or download without a limit of the bandwidth. */
  hasVisitors: () => boolean
}

/** The pace of one copy. Call it before sending `bytes`; end it with the copy. */
export interface Pace {
  take: (bytes: number) => Promise<void>
  end: () => void
}

/** Slows copies to their own limit, and for visitors. */
export class CopyPace {
  /** See `PaceDeps`. */
  readonly hasVisitors: () => boolean
  readonly #own: Bandwidth

  constructor(private readonly deps: PaceDeps) {
    this.hasVisitors = deps.hasVisitors
    this.#own = new Bandwidth(() => ({
      perTransfer: null,
      perVisitor: null,
      inAll: deps.bytesPerSecond(),
    }))
  }

  begin(name: string, signal: AbortSignal): Pace {
    const flows = [this.#own.enter(name), this.deps.sendBehind(name)]
    const [own, behind] = flows.map((flow) => createPacer(flow))

    let lastAt = performance.now()
    let rest = 0

    return {
      take: async (bytes) => {
        rest = this.hasVisitors()
          ? Math.min(rest + (performance.now() - lastAt) * REST, MOST_REST_MS)
          : 0

        if (rest >= LEAST_REST_MS) {
          await this.#rest(rest, signal)
          rest = 0
        }

        await own?.(bytes)
        await behind?.(bytes)
        lastAt = performance.now()
      },
      end: () => {
        for (const flow of flows) flow.end()
      },
    }
  }

  /** Ends early when the visitors have left. */
  async #rest(ms: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + ms
    for (
      let remaining = ms;
      remaining > 0 && this.hasVisitors() && !signal.aborted;
      remaining = until - performance.now()
    ) {
      await pause(Math.min(remaining, LOOK_MS), undefined, { signal, ref: false }).catch(
        () => undefined,
      )
    }
  }
}
