import { performance } from 'node:perf_hooks'
import type { Entry } from './folder-look'

/** Tells which files have not changed for a while: who writes them has finished. */
export class Stillness {
  readonly #since = new Map<string, { entry: Entry; at: number }>()

  constructor(private readonly stillMs: number) {}

  /** Whether files are waited for. */
  get isWaiting(): boolean {
    return this.#since.size > 0
  }

  /** Of these files, which replace those of the last call, the ones that have been the same for long enough. */
  settled(entries: readonly Entry[]): Entry[] {
    const now = performance.now()
    const names = new Set(entries.map(({ name }) => name))
    for (const name of this.#since.keys()) if (!names.has(name)) this.#since.delete(name)
    return entries.filter((entry) => {
      const known = this.#since.get(entry.name)
      if (known && isSame(known.entry, entry)) return now - known.at >= this.stillMs
      this.#since.set(entry.name, { entry, at: now })
      return false
    })
  }

  /** Its time begins anew, should it be seen again. */
  forget({ name }: Entry): void {
    this.#since.delete(name)
  }
}

/** Whether nothing was written between two looks at a file. */
export const isSame = (one: Entry, other: Entry | undefined): boolean =>
  other !== undefined && one.size === other.size && one.modifiedMs === other.modifiedMs
