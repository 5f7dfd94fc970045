/** Notifies its subscribers synchronously, in the order of subscription. */
export class Signal<T = void> {
  readonly #listeners = new Set<(event: T) => void>()

  /** Returns a function that ends the subscription. */
  subscribe(listener: (event: T) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Ends all subscriptions. */
  clear(): void {
    this.#listeners.clear()
  }

  emit(event: T): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}
