import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../core/errors'

const LOOK_EVERY_MS = 100

/** The time in which one request has an upload for itself. */
export class Turn {
  readonly #ended = Promise.withResolvers<undefined>()
  readonly over: Promise<undefined> = this.#ended.promise
  #heardAt = performance.now()
  #cut: (() => void) | undefined

  constructor(private readonly leave: () => void) {}

  /** Something of its client has come. */
  heard(): void {
    this.#heardAt = performance.now()
  }

  /** From now on it waits for its client, and can be cut short; without a way to do so, it is busy with its own work. */
  waitsForClient(cut: (() => void) | undefined): void {
    this.#cut = cut
    this.heard()
  }

  /** Ends the wait for a client, where there is one. What has come is kept, and the turn ends. */
  cutShort(): void {
    this.#cut?.()
  }

  /** Whether it has waited for its client for so many ms, and nothing has come. */
  isSilentFor(ms: number): boolean {
    return this.#cut !== undefined && performance.now() - this.#heardAt >= ms
  }

  end(): void {
    this.leave()
    this.#ended.resolve(undefined)
  }
}

/** Lets one request at a time at each upload. */
export class Turns {
  readonly #turns = new Map<string, Turn>()

  constructor(private readonly silentMs: number) {}

  /** Ends every turn that waits for its client. Returns when all turns are over. */
  async endAll(): Promise<void> {
    const all = [...this.#turns.values()]
    for (const turn of all) turn.cutShort()
    await Promise.all(all.map((turn) => turn.over))
  }

  /**
   * Waits for the upload to be free. A turn whose client has fallen silent is cut short, any turn if `atOnce`. Throws
   * `locked` while another client is at it. Whoever takes a turn ends it.
   */
  async take(id: string, { atOnce = false } = {}): Promise<Turn> {
    const since = performance.now()
    for (let holder = this.#turns.get(id); holder; holder = this.#turns.get(id)) {
      if (atOnce || holder.isSilentFor(this.silentMs)) holder.cutShort()
      if (performance.now() - since >= this.silentMs + LOOK_EVERY_MS) {
        throw new AppError('locked', 'Another request is writing to this upload', undefined, { 'Retry-After': '3' })
      }
      await Promise.race([holder.over, pause(LOOK_EVERY_MS)])
    }
    const turn = new Turn(() => this.#turns.delete(id))
    this.#turns.set(id, turn)
    return turn
  }
}
