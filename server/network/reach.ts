import { isLoopback } from '../core/ip-address'
import type { Bound } from '../http/listen/listener'

export const EVERYWHERE = '0.0.0.0'
export const HERE = '127.0.0.1'

interface Needs {
  bound: () => Bound
  listen: (next: Bound) => Promise<Bound>
  /** The addresses that this machine has now. */
  present: () => readonly string[]
}

/**
 * Who may reach this host: this computer only, everybody on its networks, or those on chosen ones. A chosen address that
 * the machine does not have is waited for. This computer itself always reaches it, so the window stays as it is.
 */
export class Reach {
  #host = HERE
  #only: readonly string[] = []
  readonly #listeners = new Set<() => void>()
  #tail: Promise<unknown> = Promise.resolve()

  constructor(private readonly needs: Needs) {}

  /** Whether others are meant to reach it, also while none of the chosen addresses is there. */
  get isShared(): boolean {
    return !isLoopback(this.#host)
  }

  /** What was asked for last: an address, `EVERYWHERE` or `HERE`. */
  get host(): string {
    return this.#host
  }

  /** Of `EVERYWHERE`, these addresses only; none: all. */
  get only(): readonly string[] {
    return this.#only
  }

  /** The chosen addresses, while this machine has none of them; else none. */
  get awaited(): readonly string[] {
    const isChosen = this.#host === EVERYWHERE && this.#only.length > 0
    return isChosen && this.#placeOf(this.#host, this.#only).also.length === 0 ? this.#only : []
  }

  /** Calls back when something was asked for and the host goes on listening where it did; all else `Addresses` tells. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Listens here from now on; of `EVERYWHERE`, at `only` those addresses where any are named. Throws ListenError. */
  listen(host: string, port: number, only: readonly string[] = []): Promise<Bound> {
    return this.#inTurn(async () => {
      const before = { host: this.#host, only: this.#only }
      // First: whoever hears of the new address asks at once who is meant to reach it.
      this.#host = host
      this.#only = only
      try {
        const known = this.needs.bound()
        const bound = await this.#move({ port, ...this.#placeOf(host, only) })
        if (bound === known) for (const heard of this.#listeners) heard()
        return bound
      } catch (cause) {
        this.#host = before.host
        this.#only = before.only
        throw cause
      }
    })
  }

  /** A chosen address may have come or gone. */
  follow(): Promise<Bound> {
    return this.#inTurn(() => this.#move({ port: this.needs.bound().port, ...this.#placeOf(this.#host, this.#only) }))
  }

  async #move(next: Bound): Promise<Bound> {
    const now = this.needs.bound()
    const isThere = [next.host === now.host, next.port === now.port, next.also.join() === now.also.join()]
    return isThere.every(Boolean) ? now : this.needs.listen(next)
  }

  #placeOf(host: string, only: readonly string[]): Pick<Bound, 'host' | 'also'> {
    if (host !== EVERYWHERE || only.length === 0) return { host, also: [] }
    const present = new Set(this.needs.present())
    return { host: HERE, also: only.filter((address) => address !== HERE && present.has(address)) }
  }

  #inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    const done = this.#tail.then(action)
    this.#tail = done.catch(() => undefined)
    return done
  }
}

/** Whether others than this computer can reach it now. */
export const isReached = ({ host, also }: Bound): boolean => !isLoopback(host) || also.length > 0
