import { performance } from 'node:perf_hooks'
import type { Entry } from './folder-look'

/** Detects finished files: those unchanged for a while. */
export class Stillness {
  readonly #since = new Map<string, { entry: Entry; at: number }>()

  constructor(private readonly stillMs: number) {}

  get isWaiting(): boolean {
    return this.#since.size > 0
  }

  /**
   * Returns the entries that have been unchanged for long enough. Replaces the entries of the last
   * call.
   */
  settled(entries: readonly Entry[]): Entry[] {
    const now = performance.now()
    const names = new Set(entries.map(({ name }) => name))
    for (const name of this.#since.keys()) if (!names.has(name)) this.#since.delete(name)
    return entries.filter((entry) => {
      const previous = this.#since.get(entry.name)
      if (previous && isSame(previous.entry, entry)) return now - previous.at >= this.stillMs
      this.#since.set(entry.name, { entry, at: now })
      return false
    })
  }

  forget({ name }: Entry): void {
    this.#since.delete(name)
  }
}

/** Whether a file is unchanged between two scans. */
export const isSame = (one: Entry, other: Entry | undefined): boolean =>
  other !== undefined && one.size === other.size && one.modifiedMs === other.modifiedMs
