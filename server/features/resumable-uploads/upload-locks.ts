import { endsWithin } from '../../core/deadline'
import { retryLater } from '../../core/errors'

const LOOK_EVERY_MS = 100

/** The lock of one request on an upload. */
export class UploadLock {
  readonly #ended = Promise.withResolvers<undefined>()
  readonly over: Promise<undefined> = this.#ended.promise
  #heardAt = performance.now()
  #cut: (() => void) | undefined

  constructor(private readonly leave: () => void) {}

  heard(): void {
    this.#heardAt = performance.now()
  }

  /**
   * Sets how to end the request while it waits for its client. Undefined: the request is working
   * and must not be interrupted.
   */
  waitsForClient(cut: (() => void) | undefined): void {
    this.#cut = cut
    this.heard()
  }

  /** Ends a request that waits for its client, once. Received bytes stay. */
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
export class UploadLocks {
  readonly #locks = new Map<string, UploadLock>()

  constructor(private readonly silentMs: number) {}

  /** Ends all waiting requests, and resolves when all requests have ended. */
  async endAll(): Promise<void> {
    const all = [...this.#locks.values()]
    for (const lock of all) lock.cutShort()
    await Promise.all(all.map((lock) => lock.over))
  }

  /**
   * Waits for the lock of an upload. Ends the request that holds it if its client is silent; with
   * `atOnce`, also if it only waits for its client. Throws `locked` while another client uploads,
   * or while its bytes are being written. The caller ends the lock.
   */
  async take(id: string, { atOnce = false } = {}): Promise<UploadLock> {
    let since = performance.now()
    for (let holder = this.#locks.get(id); holder; holder = this.#locks.get(id)) {
      if (holder.isSilentFor(atOnce ? 0 : this.silentMs)) {
        holder.cutShort()
        since = performance.now()
      } else if (performance.now() - since >= this.silentMs + LOOK_EVERY_MS) {
        throw retryLater('locked', 'Another request is writing to this upload', 3)
      }
      await endsWithin(LOOK_EVERY_MS, holder.over)
    }

    const lock = new UploadLock(() => this.#locks.delete(id))
    this.#locks.set(id, lock)
    return lock
  }
}
