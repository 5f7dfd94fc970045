import { LibraryReadOnlyError } from './library-errors'

/** A change that waits for its commit. */
export interface Waiting<T> {
  readonly change: T
}

/** How a commit log stores changes of type `T`. */
interface Steps<T> {
  /** A change without content, which only waits for earlier ones. */
  empty: T
  /** Returns how many of the waiting changes, at least one, the next batch takes. */
  take: (waiting: readonly Waiting<T>[]) => number
  /** Makes a batch durable. */
  store: (batch: readonly T[]) => Promise<void>
  /** Returns why changes are refused after this failure. */
  refuse: (cause: unknown) => LibraryReadOnlyError
  /** Runs when everything that is not durable was rolled back, before its callers hear of it. */
  onFailure: (cause: unknown, refused: readonly T[]) => Promise<void> | void
}

interface Entry<T> extends Waiting<T> {
  undo: () => void
  resolve: () => void
  reject: (error: Error) => void
}

const doNothing = () => undefined

/**
 * The queue before a commit log. While one batch is stored the next one collects, so that many
 * clients share a sync or a round trip. After a failure everything that is not durable is rolled
 * back, newest first, and nothing is accepted until `accept`.
 */
export class GroupCommit<T> {
  #queue: Entry<T>[] = []
  #running: Promise<void> | undefined
  #refusal: LibraryReadOnlyError | undefined

  constructor(private readonly steps: Steps<T>) {}

  /** Why changes are refused. Undefined while they are accepted. */
  get refusal(): LibraryReadOnlyError | undefined {
    return this.#refusal
  }

  /** Stores a change. Resolves once it is durable; rejects after `undo` if it never will be. */
  add(change: T, undo: () => void = doNothing): Promise<void> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal)

    return new Promise((resolve, reject) => {
      this.#queue.push({ change, undo, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Resolves once all changes so far are durable. */
  settled(): Promise<void> {
    return this.#running === undefined && this.#refusal === undefined
      ? Promise.resolve()
      : this.add(this.steps.empty)
  }

  /** Refuses all changes from now on. */
  refuse(refusal: LibraryReadOnlyError): void {
    this.#refusal ??= refusal
  }

  /** Accepts changes again. */
  accept(): void {
    this.#refusal = undefined
  }

  /** Flushes the changes so far, and refuses later ones. */
  async close(): Promise<void> {
    const settled = this.settled()
    this.refuse(new LibraryReadOnlyError('The library is closed'))
    await settled.catch(doNothing)
  }

  async #run(): Promise<void> {
    await Promise.resolve()

    while (this.#queue.length > 0) {
      const count = this.steps.take(this.#queue)
      const batch = this.#queue.splice(0, count)
      try {
        await this.steps.store(batch.map(({ change }) => change))
      } catch (cause) {
        await this.#fail(batch, cause)
        break
      }
      for (const entry of batch) entry.resolve()
    }
    this.#running = undefined
  }

  async #fail(batch: readonly Entry<T>[], cause: unknown): Promise<void> {
    const refused = [...batch, ...this.#queue]
    this.#queue = []
    const refusal = this.steps.refuse(cause)
    this.#refusal = refusal

    for (const entry of refused.toReversed()) entry.undo()
    const changes = refused.map(({ change }) => change)
    await this.steps.onFailure(cause, changes)
    for (const entry of refused) entry.reject(refusal)
  }
}
