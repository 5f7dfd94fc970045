import { AppError } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'

/**
 * Limits of concurrent requests to the primary: in all, of visitors (the others are for people with
 * an account), and of one network.
 */
export const MOST_AT_ONCE = 512
const MOST_OF_VISITORS = 448
const MOST_OF_NETWORK = 32
const RETRY_S = 5

/** Client of a forwarded request. */
export interface Sender {
  address: string
  isVisitor: boolean
}

/** Shares the line to the primary, so that the visitors of a few networks cannot fill it. */
export class ForwardingShares {
  #running = 0
  #ofVisitors = 0
  readonly #byNetwork = new Map<string, number>()

  /**
   * Takes a place. Returns a function that gives it back. Throws `too_many_requests` and `busy`.
   */
  enter({ address, isVisitor }: Sender): () => void {
    if (this.#running >= MOST_AT_ONCE || (isVisitor && this.#ofVisitors >= MOST_OF_VISITORS))
      throw refusal('busy', 'This host passes on too many requests at once')
    this.#running++
    if (!isVisitor) return () => void this.#running--

    const network = toNetwork(address)
    const before = this.#byNetwork.get(network) ?? 0
    if (before >= MOST_OF_NETWORK) {
      this.#running--
      throw refusal('too_many_requests', 'Too many requests of your network at once')
    }
    this.#ofVisitors++
    this.#byNetwork.set(network, before + 1)
    return () => this.#leave(network)
  }

  #leave(network: string): void {
    const left = (this.#byNetwork.get(network) ?? 1) - 1
    this.#running--
    this.#ofVisitors--
    if (left === 0) this.#byNetwork.delete(network)
    else this.#byNetwork.set(network, left)
  }
}

const refusal = (code: 'busy' | 'too_many_requests', words: string) =>
  new AppError(code, `${words}; try again in a moment`, undefined, {
    'Retry-After': String(RETRY_S),
  })
