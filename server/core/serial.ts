/** Runs tasks one after the other, in the order in which they were added. */
export class Serial {
  #tail: Promise<unknown> = Promise.resolve()

  /** Resolves or rejects as the task does. A task that fails does not stop the ones behind it. */
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
