/** Bytes per second in one direction; null: no limit. */
export interface Rates {
  perTransfer: number | null
  perVisitor: number | null
  inAll: number | null
}

/** The bandwidth of one transfer. */
export interface Flow {
  /** Returns how many of `bytes` may move now, at least 1. A promise when the share is used up. */
  take(bytes: number): number | Promise<number>
  /** Ends the transfer: pending and later `take` calls return immediately. */
  end(): void
}

/** The bandwidth of a transfer without limits. */
export const unlimited: Flow = { take: (bytes) => bytes, end: () => undefined }

/** Takes bandwidth for received bytes; undefined without a wait. */
export function createPacer(
  flow: Pick<Flow, 'take'>,
): (bytes: number) => Promise<void> | undefined {
  const rest = async (taking: Promise<number>, bytes: number) => {
    for (let remaining = bytes - (await taking); remaining > 0;)
      remaining -= await flow.take(remaining)
  }
  return (bytes) => {
    const taking = flow.take(bytes)
    return typeof taking === 'number' ? undefined : rest(taking, bytes)
  }
}

/** Interval of serving waiting transfers, in ms; changed limits apply then. */
const LOOK_EVERY_MS = 20
/** A bucket holds the bytes of this many seconds; one share is at most half of it. */
const DEPTH_S = 0.1
const LEAST_BYTES = 1024
const MOST_BYTES = 256 * 1024
/**
 * While visitors wait, one of this many shares is for the host's own work, so that it also
 * completes on a busy connection.
 */
const SHARES_PER_OWN = 10

/** A token bucket, capped at its depth. It starts empty, so that reconnecting gains nothing. */
class Bucket {
  #tokens = 0
  #filledAt: number | undefined

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
  /** Longest waiting first. */
  waiting: Waiting[]
}

/**
 * Shares the bandwidth of one direction round-robin between visitors, so that eight connections
 * gain nothing over one, then between a visitor's transfers.
 */
export class Bandwidth {
  readonly #all = new Bucket()
  /** Least recently served first. */
  readonly #visitors = new Map<string, Visitor>()
  /** Transfers of the host itself, in the same order. */
  readonly #behind = new Map<string, Visitor>()
  /** Shares of visitors since the last one of the host's own work. */
  #ahead = 0
  #timer: NodeJS.Timeout | undefined

  /** `rates` is read each time, so that changes apply immediately. */
  constructor(private readonly rates: () => Rates) {}

  enter(name: string): Flow {
    return this.#enter(this.#visitors, name, this.rates)
  }

  /**
   * Like `enter`, for transfers of the host itself, which yield to visitors. The limits of a
   * visitor do not apply to them.
   */
  enterBehind(name: string): Flow {
    return this.#enter(this.#behind, name, () => inAllOf(this.rates()))
  }

  #enter(group: Map<string, Visitor>, name: string, rates: () => Rates): Flow {
    const visitor = group.get(name) ?? { bucket: new Bucket(), transfers: 0, waiting: [] }
    group.set(name, visitor)
    visitor.transfers++

    const own = new Bucket()
    let ended = false

    return {
      take: (bytes) => (ended || isUnlimited(rates()) ? bytes : this.#wait(visitor, own, bytes)),
      end: () => {
        if (ended) return
        ended = true

        const mine = visitor.waiting.filter((waiting) => waiting.own === own)
        visitor.waiting = visitor.waiting.filter((waiting) => waiting.own !== own)
        for (const { bytes, grant } of mine) grant(bytes)
        if (--visitor.transfers === 0) group.delete(name)
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
    const now = performance.now()
    while (this.#serveRound(rates, now));
    const isWaiting = [...this.#visitors.values(), ...this.#behind.values()].some(
      ({ waiting }) => waiting.length > 0,
    )
    clearTimeout(this.#timer)
    this.#timer = isWaiting ? setTimeout(() => this.#look(), LOOK_EVERY_MS) : undefined
  }

  /** Serves each visitor at most once, then the host's own work if none of them could take more. */
  #serveRound(rates: Rates, now: number): boolean {
    if (this.#ahead >= SHARES_PER_OWN - 1) {
      const own = this.#serveEach(this.#behind, inAllOf(rates), now)
      if (own !== 'none') return own === 'served'
    }
    const outcome = this.#serveEach(this.#visitors, rates, now)
    if (outcome === 'none') return this.#serveEach(this.#behind, inAllOf(rates), now) === 'served'
    return outcome === 'served'
  }

  /** `dry`: the total is used up, so the round ends. */
  #serveEach(group: Map<string, Visitor>, rates: Rates, now: number): 'served' | 'none' | 'dry' {
    let served: 'served' | 'none' = 'none'
    for (const [name, visitor] of [...group]) {
      const outcome = this.#serve(visitor, rates, now)
      if (outcome === 'dry') return 'dry'

      if (outcome === 'none') continue
      served = 'served'
      this.#ahead = group === this.#behind ? 0 : this.#ahead + 1
      group.delete(name)
      group.set(name, visitor)
    }
    return served
  }

  /**
   * Serves the first eligible transfer of a visitor. `dry`: the total is used up, so the round
   * ends.
   */
  #serve({ waiting, bucket }: Visitor, rates: Rates, now: number): 'served' | 'none' | 'dry' {
    const most = shareOf(rates)
    for (const [index, { bytes, own, grant }] of waiting.entries()) {
      const share = Math.min(bytes, most)
      if (own.room(rates.perTransfer, now) < share) continue
      if (bucket.room(rates.perVisitor, now) < share) return 'none'
      if (this.#all.room(rates.inAll, now) < share) return 'dry'

      for (const used of [this.#all, bucket, own]) used.take(share)
      waiting.splice(index, 1)
      grant(share)
      return 'served'
    }
    return 'none'
  }
}

const inAllOf = ({ inAll }: Rates): Rates => ({ perTransfer: null, perVisitor: null, inAll })

const isUnlimited = ({ perTransfer, perVisitor, inAll }: Rates) =>
  perTransfer === null && perVisitor === null && inAll === null

/** Bytes per share: few at low rates, so that the next transfer waits briefly. */
function shareOf({ perTransfer, perVisitor, inAll }: Rates): number {
  const slowest = Math.min(perTransfer ?? Infinity, perVisitor ?? Infinity, inAll ?? Infinity)
  return slowest === Infinity
    ? MOST_BYTES
    : Math.max(LEAST_BYTES, Math.min(MOST_BYTES, Math.floor((slowest * DEPTH_S) / 2)))
}
