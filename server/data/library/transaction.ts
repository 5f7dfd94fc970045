import type { Collection } from './collection'
import type { Op } from './library-data'

/** Collects the steps of a change. They apply after the change returns. */
export interface Transaction {
  put<T extends object>(collection: Collection<T>, id: string, value: NoInfer<T>): void
  delete<T extends object>(collection: Collection<T>, id: string): void
  setCounter(name: string, value: number | undefined): void
  /** Runs once the change is on disk, never for a failed change. It must not throw. */
  after(then: () => void): void
}

/** Collects the steps of one change, and accepts no more once it has returned. */
export class GatheringTransaction implements Transaction {
  readonly ops: Op[] = []
  readonly afterwards: (() => void)[] = []
  #over = false

  put<T extends object>(collection: Collection<T>, id: string, value: NoInfer<T>): void {
    this.#add(['put', collection.name, id, value])
  }

  delete<T extends object>(collection: Collection<T>, id: string): void {
    this.#add(['delete', collection.name, id])
  }

  setCounter(name: string, value: number | undefined): void {
    if (value !== undefined && !Number.isFinite(value))
      throw new RangeError(`Counter ${name} cannot become ${value}`)
    this.#add(['counter', name, value ?? null])
  }

  after(then: () => void): void {
    this.afterwards.push(then)
  }

  end(): void {
    this.#over = true
  }

  #add(op: Op): void {
    if (this.#over) throw new Error('This transaction is over: a change must not wait for anything')
    this.ops.push(op)
  }
}
