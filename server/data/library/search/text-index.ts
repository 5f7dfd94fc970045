import { performance } from 'node:perf_hooks'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Collection } from '../collection'
import { cut, type ResultPage, type Page, type Search, type TextFacts } from './search'
import { TextSlots } from './text-slots'

/**
 * `few`: lists up to this length are scanned. `late`: number of records out of order that triggers
 * a rebuild.
 */
const LIMITS = { few: 4096, late: 2048 }
/** Longest time that building blocks the event loop, in ms. */
const SLICE_MS = 8

/**
 * Finds records by a part of their text. The first search of many records starts building the index
 * in the background. Until it is ready, searches test each record.
 */
export class TextIndex<T extends { id: string }> {
  #slots: TextSlots<T> | undefined
  #isReady = false
  #building: Promise<void> | undefined
  /** While the index is built: the records that still wait for it. */
  #queue: T[] = []

  constructor(
    private readonly records: Pick<Collection<T>, 'get' | 'values' | 'watch'>,
    private readonly facts: TextFacts<T>,
    private readonly limits = LIMITS,
  ) {
    records.watch((_id, before, after) => this.#changed(before, after))
  }

  /** Searches `among`, which must have all records that can match, newest first. */
  search(among: readonly T[], search: Search, page: Page): ResultPage<T> {
    const { text, owner, isPublic, isNameMatch, without } = search

    const matches = (value: T) =>
      (owner === undefined || this.facts.owner(value) === owner) &&
      (isPublic === undefined || this.facts.isPublic(value) === isPublic) &&
      (this.facts.text(value).includes(text) || isNameMatch?.(this.facts.owner(value)) === true) &&
      without?.has(value.id) !== true

    if (among.length <= this.limits.few) return cut(among.filter(matches), page)
    if (this.#slots && this.#isReady) {
      const left = [...(without ?? [])]
        .map((id) => this.records.get(id))
        .filter((value) => value !== undefined)
      return this.#slots.search(search, page, matches, left)
    }

    void this.build()
    return cut(among.filter(matches), page)
  }

  /** Builds the index in slices, unless it exists. */
  build(): Promise<void> {
    if (this.#isReady) return Promise.resolve()
    this.#building ??= this.#build().finally(() => (this.#building = undefined))
    return this.#building
  }

  #changed(before: T | undefined, after: T | undefined): void {
    if (!this.#slots) return
    if (before) this.#slots.remove(before)
    if (!after || this.#slots.putBack(after)) return
    if (this.#isReady) this.#slots.add(after)
    else this.#queue.push(after)
    const { size, dead, late } = this.#slots
    if (!this.#isReady || (late.size <= this.limits.late && dead <= this.limits.late + size / 4))
      return
    this.#slots = undefined
    this.#isReady = false
  }

  async #build(): Promise<void> {
    this.#queue = [...this.records.values()]
    if (await this.#add(this.limits.late)) return
    this.#queue.sort((a, b) => this.facts.order(b, a))
    await this.#add(Infinity)
  }

  /** Adds all records that wait. False: too many of them are out of order. */
  async #add(mostLate: number): Promise<boolean> {
    const slots = (this.#slots = new TextSlots(this.facts))
    let until = performance.now() + SLICE_MS

    for (let at = 0; at < this.#queue.length; at++) {
      const current = this.records.get(this.#queue[at]?.id ?? '')
      if (current) slots.add(current)
      if (slots.late.size > mostLate) return false

      if (at % 64 > 0 || performance.now() < until) continue
      await breathe()
      until = performance.now() + SLICE_MS
    }

    this.#queue = []
    this.#isReady = true
    return true
  }
}
