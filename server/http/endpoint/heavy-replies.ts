import type { ServerResponse } from 'node:http'
import { setImmediate as immediate } from 'node:timers/promises'
import { retryLater } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import { Serial } from '../../core/serial'

/** Limits of heavy replies per address. */
export interface HeavyLimits {
  atOnce: number
  waiting: number
  waitMs: number
}

const usual: HeavyLimits = { atOnce: 4, waiting: 32, waitMs: 5000 }
const RETRY_S = 2
/**
 * Ticks of the event loop after each ms that a reply held it, and the most after one reply. libuv
 * accepts one connection per tick, so a burst takes many; a tick costs about 8 µs.
 */
const TICKS_PER_MS = 10
const MOST_TICKS = 32

const leaveOf = new WeakMap<ServerResponse, () => void>()

interface Group {
  running: number
  /** First in, first out. */
  queue: (() => void)[]
}

/**
 * Limits expensive replies, such as lists, per address, and queues the others. A reply occupies its
 * place until it is sent or its connection closes.
 */
export class HeavyReplies {
  readonly #groups = new Map<string, Group>()
  readonly #pauses = new Serial()

  constructor(
    private readonly limits: HeavyLimits = usual,
    /** Milliseconds. */
    private readonly elapsed = () => performance.now(),
  ) {}

  /** Waits for a free place. Throws `too_many_requests`. */
  async enter(address: string, response: ServerResponse): Promise<void> {
    const name = toNetwork(address)
    const group = this.#groups.get(name) ?? { running: 0, queue: [] }
    this.#groups.set(name, group)
    if (group.running < this.limits.atOnce) group.running++
    else await this.#wait(group, response)

    const others = this.#pauses.idle()
    void this.#pauses.run(() => this.#pause())
    await others

    let hasEnded = false
    const leave = () => {
      if (!hasEnded) this.#leave(name, group)
      hasEnded = true
    }

    leaveOf.set(response, leave)
    response.once('close', leave)

    if (!response.closed) return
    leave()
    throw tooMany()
  }

  /**
   * Lets other requests run after a reply has begun, for as many ticks as it held the event loop,
   * but no longer than that.
   */
  async #pause(): Promise<void> {
    const begun = this.elapsed()
    await immediate()
    const held = this.elapsed() - begun
    const ticks = Math.min(MOST_TICKS, held * TICKS_PER_MS)
    for (let tick = 1; tick < ticks && this.elapsed() < begun + 2 * held; tick++) await immediate()
  }

  #wait({ queue }: Group, response: ServerResponse): Promise<void> {
    if (queue.length >= this.limits.waiting) throw tooMany()

    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        response.off('close', giveUp)
      }
      const take = () => {
        end()
        resolve()
      }
      const giveUp = () => {
        end()
        queue.splice(queue.indexOf(take), 1)
        reject(tooMany())
      }

      const timer = setTimeout(giveUp, this.limits.waitMs).unref()
      response.once('close', giveUp)
      queue.push(take)
    })
  }

  #leave(name: string, group: Group): void {
    const next = group.queue.shift()
    if (next) return next()
    group.running--
    if (group.running === 0) this.#groups.delete(name)
  }
}

/** Frees the place of a reply before its download starts: a transfer has its own limits. */
export const endHeavyPart = (response: ServerResponse): void => leaveOf.get(response)?.()

const tooMany = () =>
  retryLater(
    'too_many_requests',
    'Your address is receiving too many large replies at once; try again',
    RETRY_S,
  )
