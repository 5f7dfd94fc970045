import { AppError } from '../../core/errors'
import { Bandwidth, type Flow } from './bandwidth'
import type { Caller } from '../endpoint/call'
import { networkOf } from '../pipeline/client-network'

/** What the host allows; rates are bytes per second in each direction, null: as fast as it goes. */
interface TransferSettings {
  transfersPerAddress: number
  bytesPerSecondPerTransfer: number | null
  bytesPerSecondPerVisitor: number | null
  bytesPerSecondInAll: number | null
}

/** Who transfers, as far as it matters here. */
type Who = Pick<Caller, 'address' | 'visitor' | 'atWindow'>

const RETRY_S = 10

/** How many transfers an address may have at once, and how fast they may be. The app window is exempt from both. */
export class TransferLimits {
  readonly #running = new Map<string, number>()
  readonly #down: Bandwidth
  readonly #up: Bandwidth

  /** `settings` is asked each time, so that a change counts at once; undefined: there are no limits. */
  constructor(private readonly settings: () => TransferSettings | undefined) {
    const rates = () => ({
      perTransfer: settings()?.bytesPerSecondPerTransfer ?? null,
      perVisitor: settings()?.bytesPerSecondPerVisitor ?? null,
      inAll: settings()?.bytesPerSecondInAll ?? null,
    })
    this.#down = new Bandwidth(rates)
    this.#up = new Bandwidth(rates)
  }

  /** A transfer begins; end its flow when it has ended. Throws `too_many_requests` beyond what an address may have. */
  enter(direction: 'down' | 'up', { address, visitor, atWindow }: Who): Flow {
    if (atWindow) return unlimited
    const network = networkOf(address)
    const running = this.#running.get(network) ?? 0
    const most = this.settings()?.transfersPerAddress ?? Infinity
    if (running >= most) throw tooMany(most)
    this.#running.set(network, running + 1)
    const flow = (direction === 'down' ? this.#down : this.#up).enter(visitor)
    let ended = false
    return {
      take: (bytes) => (ended ? bytes : flow.take(bytes)),
      end: () => {
        if (!ended) this.#leave(network)
        if (!ended) flow.end()
        ended = true
      },
    }
  }

  #leave(network: string): void {
    const left = (this.#running.get(network) ?? 1) - 1
    if (left > 0) this.#running.set(network, left)
    else this.#running.delete(network)
  }
}

const unlimited: Flow = { take: (bytes) => bytes, end: () => undefined }

const tooMany = (most: number) =>
  new AppError(
    'too_many_requests',
    `There are ${most} transfers at once from your address already; go on when one of them has ended`,
    undefined,
    { 'Retry-After': String(RETRY_S) },
  )
