import { endsWithin } from '../../core/deadline'
import { AppError } from '../../core/errors'

const LOOK_EVERY_MS = 100

/** The lock of one request on an upload. */
export class Turn {
  readonly #ended = Promise.withResolvers<undefined>()
  readonly over: Promise<undefined> = this.#ended.promise
  #heardAt = performance.now()
  #cut: (() => void) | undefined

  constructor(private readonly leave: () => void) {}

  heard(): void {
    this.#heardAt = performance.now()
  }

  /**
   * Marks the turn as waiting for its client, and how to cut it; undefined: busy with its own work.
   */
  waitsForClient(cut: (() => void) | undefined): void {
    this.#cut = cut
    this.heard()
  }

  /** Cuts a turn that waits for its client, once. Received bytes stay. */
  cutShort(): void {
    const cut = this.#cut
    this.#cut = undefined
    cut?.()
  }

  /** Whether it has waited for its client for `ms` without activity. */
  isSilentFor(ms: number): boolean {
    return this.#cut !== undefined && performance.now() - this.#heardAt >= ms
  }

  end(): void {
    this.leave()
    this.#ended.resolve(undefined)
  }
}

/** Allows one request at a time per upload. */
export class Turns {
  readonly #turns = new Map<string, Turn>()

  constructor(private readonly silentMs: number) {}

  /** Cuts all waiting turns and waits for all to end. */
  async endAll(): Promise<void> {
    const all = [...this.#turns.values()]
    for (const turn of all) turn.cutShort()
    await Promise.all(all.map((turn) => turn.over))
  }

  /**
   * Waits for the upload. Cuts a silent turn; with `atOnce`, any waiting turn. Throws `locked`
   * while another client uploads, or the disk still takes what one has sent. The caller ends the
   * turn.
   */
  async take(id: string, { atOnce = false } = {}): Promise<Turn> {
    let since = performance.now()
    for (let holder = this.#turns.get(id); holder; holder = this.#turns.get(id)) {
      if (holder.isSilentFor(atOnce ? 0 : this.silentMs)) {
        holder.cutShort()
        since = performance.now()
      } else if (performance.now() - since >= this.silentMs + LOOK_EVERY_MS) {
        throw new AppError('locked', 'Another request is writing to this upload', undefined, {
          'Retry-After': '3',
        })
      }
      await endsWithin(LOOK_EVERY_MS, holder.over)
    }
    const turn = new Turn(() => this.#turns.delete(id))
    this.#turns.set(id, turn)
    return turn
  }
}
