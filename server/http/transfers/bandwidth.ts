/** Bytes per second in one direction; null: as fast as it goes. */
export interface Rates {
  perTransfer: number | null
  perVisitor: number | null
  inAll: number | null
}

/** The share of one transfer. */
export interface Flow {
  /** How many of so many bytes may move now: at least 1. A promise where there is a limit and the share is used up. */
  take(bytes: number): number | Promise<number>
  /** The transfer has ended: a `take` that still waits returns, and later ones never wait. */
  end(): void
}

/** Takes the share for bytes that have come already; undefined where nothing has to wait for it. */
export function paceOf(flow: Pick<Flow, 'take'>): (bytes: number) => Promise<void> | undefined {
  const rest = async (taking: Promise<number>, bytes: number) => {
    for (let left = bytes - (await taking); left > 0;) left -= await flow.take(left)
  }
  return (bytes) => {
    const taking = flow.take(bytes)
    return typeof taking === 'number' ? undefined : rest(taking, bytes)
  }
}

/** How often waiting transfers are looked at, in ms; a changed limit counts from then on. */
const LOOK_EVERY_MS = 20
/** A bucket holds what flows in so many seconds, and what is handed out at once flows in half of that. */
const DEPTH_S = 0.1
const LEAST_BYTES = 1024
const MOST_BYTES = 256 * 1024

/** A token bucket: fills by the rate, never beyond its depth. It begins empty, so that beginning anew brings nothing. */
class Bucket {
  #tokens = 0
  #filledAt: number | undefined

  /** What may be taken now. */
  room(rate: number | null, now: number): number {
    if (rate === null) {
      this.#filledAt = undefined
      this.#tokens = 0
      return Infinity
    }
    const depth = Math.max(rate * DEPTH_S, LEAST_BYTES)
    const seconds = (now - (this.#filledAt ?? now)) / 1000
    this.#tokens = Math.min(depth, this.#tokens + rate * seconds)
    this.#filledAt = now
    return this.#tokens
  }

  take(bytes: number): void {
    if (this.#filledAt !== undefined) this.#tokens -= bytes
  }
}

interface Waiting {
  bytes: number
  own: Bucket
  grant: (bytes: number) => void
}

interface Visitor {
  bucket: Bucket
  transfers: number
  /** The one that waits longest is first. */
  waiting: Waiting[]
}

/**
 * Shares the line between those who use it in one direction. What there is goes round from visitor to visitor, so that
 * eight connections bring nobody more than one, and within a visitor from transfer to transfer.
 */
export class Bandwidth {
  readonly #all = new Bucket()
  /** Who was served longest ago is first. */
  readonly #visitors = new Map<string, Visitor>()
  #timer: NodeJS.Timeout | undefined

  /** `rates` is asked each time, so that a change counts at once. */
  constructor(
    private readonly rates: () => Rates,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A transfer of this visitor begins. */
  enter(name: string): Flow {
    const visitor = this.#visitors.get(name) ?? { bucket: new Bucket(), transfers: 0, waiting: [] }
    this.#visitors.set(name, visitor)
    visitor.transfers++
    const own = new Bucket()
    let ended = false
    return {
      take: (bytes) => (ended || isUnlimited(this.rates()) ? bytes : this.#wait(visitor, own, bytes)),
      end: () => {
        if (ended) return
        ended = true
        const mine = visitor.waiting.filter((waiting) => waiting.own === own)
        visitor.waiting = visitor.waiting.filter((waiting) => waiting.own !== own)
        for (const { bytes, grant } of mine) grant(bytes)
        if (--visitor.transfers === 0) this.#visitors.delete(name)
      },
    }
  }

  #wait(visitor: Visitor, own: Bucket, bytes: number): Promise<number> {
    return new Promise((grant) => {
      visitor.waiting.push({ bytes, own, grant })
      this.#look()
    })
  }

  #look(): void {
    const rates = this.rates()
    const now = this.now()
    while (this.#serveRound(rates, now));
    const isWaiting = [...this.#visitors.values()].some(({ waiting }) => waiting.length > 0)
    clearTimeout(this.#timer)
    this.#timer = isWaiting ? setTimeout(() => this.#look(), LOOK_EVERY_MS) : undefined
  }

  /** Gives each visitor at most one share; answers whether there may be more. */
  #serveRound(rates: Rates, now: number): boolean {
    let served = false
    for (const [name, visitor] of [...this.#visitors]) {
      const outcome = this.#serve(visitor, rates, now)
      if (outcome === 'dry') return false
      if (outcome === 'none') continue
      served = true
      this.#visitors.delete(name)
      this.#visitors.set(name, visitor)
    }
    return served
  }

  /** Gives a share to the first transfer of a visitor that may have one. `dry`: the line is full; nobody overtakes. */
  #serve({ waiting, bucket }: Visitor, rates: Rates, now: number): 'served' | 'none' | 'dry' {
    const most = shareOf(rates)
    for (const [index, { bytes, own, grant }] of waiting.entries()) {
      const wanted = Math.min(bytes, most)
      if (own.room(rates.perTransfer, now) < wanted) continue
      if (bucket.room(rates.perVisitor, now) < wanted) return 'none'
      if (this.#all.room(rates.inAll, now) < wanted) return 'dry'
      for (const used of [this.#all, bucket, own]) used.take(wanted)
      waiting.splice(index, 1)
      grant(wanted)
      return 'served'
    }
    return 'none'
  }
}

const isUnlimited = ({ perTransfer, perVisitor, inAll }: Rates) =>
  perTransfer === null && perVisitor === null && inAll === null

/** Bytes that are handed out at once: few where little flows, so that nobody waits long for the next. */
function shareOf({ perTransfer, perVisitor, inAll }: Rates): number {
  const slowest = Math.min(perTransfer ?? Infinity, perVisitor ?? Infinity, inAll ?? Infinity)
  return slowest === Infinity
    ? MOST_BYTES
    : Math.max(LEAST_BYTES, Math.min(MOST_BYTES, Math.floor((slowest * DEPTH_S) / 2)))
}
