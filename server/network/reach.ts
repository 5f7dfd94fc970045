import { isLoopback } from '../core/net/ip-address'
import { Serial } from '../core/serial'
import { Signal } from '../core/signal'
import type { Bound } from '../http/listen/listener'

export const EVERYWHERE = '0.0.0.0'
export const HERE = '127.0.0.1'

interface Deps {
  bound: () => Bound
  listen: (next: Bound) => Promise<Bound>
  present: () => readonly string[]
}

/**
 * Controls which devices can connect: this computer only, all on its networks, or those that use
 * chosen addresses. If the computer does not have a chosen address, waits for it. Loopback always
 * works, so the window stays connected.
 */
export class Reach {
  #host = HERE
  #only: readonly string[] = []
  readonly #changed = new Signal()
  readonly #queue = new Serial()

  constructor(private readonly deps: Deps) {}

  /** Whether the host is shared, also while no chosen address is available. */
  get isShared(): boolean {
    return !isLoopback(this.#host)
  }

  /** The last requested address, `EVERYWHERE` or `HERE`. */
  get host(): string {
    return this.#host
  }

  /** The chosen addresses within `EVERYWHERE`; empty: all. */
  get only(): readonly string[] {
    return this.#only
  }

  /** Chosen addresses that this computer does not currently have. */
  get awaited(): readonly string[] {
    const isChosen = this.#host === EVERYWHERE && this.#only.length > 0
    return isChosen && this.#resolveBinding(this.#host, this.#only).also.length === 0
      ? this.#only
      : []
  }

  /**
   * Calls back when a request does not change where the host listens; `Addresses` reports all other
   * changes. Returns a function that unsubscribes.
   */
  onChange(listener: () => void): () => void {
    return this.#changed.subscribe(listener)
  }

  /**
   * Listens at `host`; for `EVERYWHERE`, only at the addresses in `only` if any are given. Throws
   * ListenError.
   */
  listen(host: string, port: number, only: readonly string[] = []): Promise<Bound> {
    return this.#queue.run(async () => {
      const before = { host: this.#host, only: this.#only }

      // Set before moving: listeners of the address change read it.
      this.#host = host
      this.#only = only

      try {
        const current = this.deps.bound()
        const bound = await this.#move({ port, ...this.#resolveBinding(host, only) })
        if (bound === current) this.#changed.emit()
        return bound
      } catch (cause) {
        this.#host = before.host
        this.#only = before.only
        throw cause
      }
    })
  }

  follow(): Promise<Bound> {
    return this.#queue.run(() =>
      this.#move({ port: this.deps.bound().port, ...this.#resolveBinding(this.#host, this.#only) }),
    )
  }

  async #move(next: Bound): Promise<Bound> {
    const now = this.deps.bound()
    const isThere = [
      next.host === now.host,
      next.port === now.port,
      next.also.join() === now.also.join(),
    ]
    return isThere.every(Boolean) ? now : this.deps.listen(next)
  }

  #resolveBinding(host: string, only: readonly string[]): Pick<Bound, 'host' | 'also'> {
    if (host !== EVERYWHERE || only.length === 0) return { host, also: [] }
    const present = new Set(this.deps.present())
    return { host: HERE, also: only.filter((address) => address !== HERE && present.has(address)) }
  }
}

/** Whether other devices can reach this host now. */
export const isReached = ({ host, also }: Bound): boolean => !isLoopback(host) || also.length > 0
