import { AppError } from '../../core/errors'

const RETRY_S = 5

interface Room {
  /** Jobs that run at the same time. */
  atOnce: number
  /** Who may wait in all. */
  waiting: number
  /** Who may wait from one network. */
  waitingOfOne: number
}

/**
 * Runs a few jobs at a time. Those that wait are served network by network, one job of each, so that a flood from one
 * network delays another one by a single job.
 */
export class FairQueue {
  #running = 0
  #waiting = 0
  /** The first network is served next. */
  readonly #networks = new Map<string, (() => void)[]>()

  constructor(private readonly room: Room) {}

  /** Throws `too_many_requests` where too many wait from this network, and `busy` where too many wait in all. */
  async run<T>(network: string, job: () => Promise<T>): Promise<T> {
    await this.#turn(network)
    try {
      return await job()
    } finally {
      this.#passOn()
    }
  }

  async #turn(network: string): Promise<void> {
    const { atOnce, waiting, waitingOfOne } = this.room
    if (this.#running < atOnce) {
      this.#running++
      return
    }
    const queue = this.#networks.get(network) ?? []
    if (queue.length >= waitingOfOne) throw refused('too_many_requests', 'Too many sign-ins from your network at once')
    if (this.#waiting >= waiting) throw refused('busy', 'Too many people are signing in')
    this.#waiting++
    this.#networks.set(network, queue)
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  /** The next one takes over the turn, so that a newcomer cannot slip in between. */
  #passOn(): void {
    const [first] = this.#networks
    if (!first) {
      this.#running--
      return
    }
    const [network, queue] = first
    this.#networks.delete(network)
    const next = queue.shift()
    if (queue.length > 0) this.#networks.set(network, queue)
    this.#waiting--
    next?.()
  }
}

const refused = (code: 'too_many_requests' | 'busy', what: string) =>
  new AppError(code, `${what}; try again in a moment`, undefined, { 'Retry-After': String(RETRY_S) })
