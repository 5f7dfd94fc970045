import { AppError } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'

/** Limit of concurrent requests to the primary. */
export const MOST_AT_ONCE = 512
/** The limits of visitors: the other places are for people with an account. */
const VISITORS = { most: 448, mostOfNetwork: 32 }
/** The same of clients with a session or a key, whose uploads may be slow. */
const MEMBERS = { most: MOST_AT_ONCE, mostOfNetwork: 128 }
const RETRY_S = 5

/** Client of a forwarded request. */
export interface Sender {
  address: string
  isVisitor: boolean
}

/** Shares the line to the primary, so that a few networks cannot fill it. */
export class ForwardingShares {
  readonly #visitors = { ...VISITORS, running: 0, byNetwork: new Map<string, number>() }
  readonly #members = { ...MEMBERS, running: 0, byNetwork: new Map<string, number>() }

  /**
   * Takes a place. Returns a function that gives it back. Throws `too_many_requests` and `busy`.
   */
  enter({ address, isVisitor }: Sender): () => void {
    const group = isVisitor ? this.#visitors : this.#members
    const { byNetwork, most, mostOfNetwork } = group
    const running = this.#visitors.running + this.#members.running
    if (running >= MOST_AT_ONCE || group.running >= most)
      throw refusal('busy', 'This host passes on too many requests at once')

    const network = toNetwork(address)
    const before = byNetwork.get(network) ?? 0
    if (before >= mostOfNetwork)
      throw refusal('too_many_requests', 'Too many requests of your network at once')
    group.running++
    byNetwork.set(network, before + 1)

    return () => {
      const left = (byNetwork.get(network) ?? 1) - 1
      group.running--
      if (left === 0) byNetwork.delete(network)
      else byNetwork.set(network, left)
    }
  }
}

const refusal = (code: 'busy' | 'too_many_requests', words: string) =>
  new AppError(code, `${words}; try again in a moment`, undefined, {
    'Retry-After': String(RETRY_S),
  })
