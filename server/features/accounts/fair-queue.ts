import { retryLater } from '../../core/errors'

const RETRY_S = 5

interface Room {
  atOnce: number
  waiting: number
  /** Waiting jobs per network. */
  waitingOfOne: number
}

/**
 * Runs a few jobs at a time, round-robin between networks, so that a flood from one network delays
 * others by a single job.
 */
export class FairQueue {
  #running = 0
  #waiting = 0
  /** Served in this order. */
  readonly #networks = new Map<string, (() => void)[]>()

  constructor(private readonly room: Room) {}

  /**
   * Throws `too_many_requests` when too many jobs of this network wait, and `busy` when too many
   * wait in total.
   */
  async run<T>(network: string, job: () => Promise<T>): Promise<T> {
    await this.#turn(network)
    try {
      return await job()
    } finally {
      this.#forwardToPrimary()
    }
  }

  async #turn(network: string): Promise<void> {
    const { atOnce, waiting, waitingOfOne } = this.room
    if (this.#running < atOnce) {
      this.#running++
      return
    }
    const queue = this.#networks.get(network) ?? []

    if (queue.length >= waitingOfOne)
      throw busyError('too_many_requests', 'Too many sign-ins from your network at once')
    if (this.#waiting >= waiting) throw busyError('busy', 'Too many people are signing in')

    this.#waiting++
    this.#networks.set(network, queue)
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  /** Hands the slot to the next job, so that a new one cannot take it. */
  #forwardToPrimary(): void {
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

const busyError = (code: 'too_many_requests' | 'busy', what: string) =>
  retryLater(code, `${what}; try again in a moment`, RETRY_S)
