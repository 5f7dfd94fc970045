/** Runs tasks one after the other, in the order in which they were added. */
export class Serial {
  #tail: Promise<unknown> = Promise.resolve()

  /** Settles as the task does. A failed task does not stop later ones. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#tail.then(task)
    this.#tail = result.catch(() => undefined)
    return result
  }

  /** Resolves when all tasks that were added so far have ended, however they ended. */
  async idle(): Promise<void> {
    await this.#tail
  }
}
