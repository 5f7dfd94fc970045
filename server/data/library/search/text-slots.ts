import {
  bitsFor,
  countBits,
  countIn,
  eachSlot,
  grow,
  hasBit,
  keepCommon,
  setBit,
  SlotList,
  type Bits,
} from './slot-list'
import type { ResultPage, Page, Search, TextFacts } from './search'

/*
 * The index behind search
 *
 * Each record has a numbered slot, oldest first. For each gram (three characters, 6 bits each) a
 * list has the slots whose text contains it, and likewise for each owner. A text of three or more
 * characters is found in the intersection of its rarest lists. With more than three, each
 * candidate is then tested, because its grams may be in another order. A shorter text is the
 * union of all grams that begin with it. Six bits cannot distinguish all characters: texts with
 * others are in `#odd`, and are always tested.
 *
 * The owner and text of a slot never change. That makes everything append-only:
 * - Lists grow at their end, so a list is a sequence of small distances.
 * - A computed result stays valid. It records how many slots it covers, and only newer slots are
 *   tested when it is used again.
 * - Changes are bits per slot: `#live` for records that exist, `#public` for visibility. They are
 *   applied after the cached result, so a change of visibility needs no new result.
 *
 * States of a record: in a live slot; in a dead slot (deleted, or renamed to a newer slot); or
 * `late`, if its place in the order is between existing slots, as for a restored file. Late
 * records are few, are tested one by one, and are merged into each page. `TextIndex` builds the
 * index again when there are too many dead or late ones.
 *
 * All methods are synchronous, so a search sees one state of the records.
 * See docs/decisions/0073-search-an-index-of-three-characters.md.
 */

/** Verifying this many records costs as much as reading one more list, per entry of the list. */
const LIST_SHARE = 50
/** Lists that are read to find candidates; more of them only cost time when all are long. */
const MOST_LISTS = 5
/** Results that are kept for the next request. */
const MOST_RESULTS = 128

/** Texts in which no two characters share a code. */
const PLAIN = /^[ -?_a-z]*$/
/** After the end of a text, so that its last characters begin a gram too. */
const END = 0
/** 6 bits for each UTF-16 unit of a text in lower case. */
const codeOf = (unit: number): number => (unit < 64 ? unit : unit & 31)

/** Searches records in numbered slots by parts of their text, owner and visibility. */
export class TextSlots<T extends { id: string }> {
  /** Records that would belong between others. */
  readonly late = new Map<string, T>()
  dead = 0
  readonly #slots: T[] = []
  readonly #grams = new Array<SlotList | undefined>(1 << 18)
  readonly #odd = new SlotList()
  readonly #owners = new Map<string, SlotList>()
  readonly #results = new Map<string, { bits: Bits; slots: number }>()
  #live = bitsFor(0)
  #public = bitsFor(0)

  constructor(private readonly facts: TextFacts<T>) {}

  get size(): number {
    return this.#slots.length
  }

  /** Does nothing for a record that is not here. */
  remove(value: T): void {
    const slot = this.#find(value)
    if (this.#isAt(slot, value) && hasBit(this.#live, slot)) {
      setBit(this.#live, slot, false)
      this.dead++
    }
    this.late.delete(value.id)
  }

  /**
   * Puts a record back into its slot if the text is unchanged. Returns false if there is no such
   * slot.
   */
  putBack(value: T): boolean {
    const slot = this.#find(value)
    const there = this.#slots[slot]
    if (!there || !this.#isAt(slot, value) || this.#key(there) !== this.#key(value)) return false
    if (!hasBit(this.#live, slot)) this.dead--
    this.#fill(slot, value)
    return true
  }

  add(value: T): void {
    if (this.putBack(value)) return
    if (this.#find(value) < this.#slots.length) this.late.set(value.id, value)
    else this.#append(value)
  }

  /**
   * Returns one page of a search. Tests late records by `matches`; excludes the records in
   * `without`.
   */
  search(
    search: Search,
    { limit, offset }: Page,
    matches: (value: T) => boolean,
    without: readonly T[],
  ): ResultPage<T> {
    const bits = this.#select(search)

    for (const value of without) {
      const slot = this.#find(value)
      if (this.#isAt(slot, value)) setBit(bits, slot, false)
    }

    const late = [...this.late.values()].filter(matches)
    // Each late record moves the others by one place at most.
    const from = Math.max(0, offset - late.length)
    const around = [...late, ...this.#take(bits, from, offset + limit)].sort(this.facts.order)

    return {
      values: around.slice(offset - from, offset - from + limit),
      total: countBits(bits) + late.length,
    }
  }

  #append(value: T): void {
    const slot = this.#slots.length
    const text = this.facts.text(value)
    const owner = this.facts.owner(value)

    this.#live = grow(this.#live, slot + 1)
    this.#public = grow(this.#public, slot + 1)
    this.#fill(slot, value)
    if (!PLAIN.test(text)) this.#odd.add(slot)

    for (let at = 0; at < text.length; at++) {
      const gram = readGram(text, at)
      ;(this.#grams[gram] ??= new SlotList()).add(slot)
    }

    if (!this.#owners.has(owner)) this.#owners.set(owner, new SlotList())
    this.#owners.get(owner)?.add(slot)
  }

  #fill(slot: number, value: T): void {
    this.#slots[slot] = value
    setBit(this.#live, slot, true)
    setBit(this.#public, slot, this.facts.isPublic(value))
  }

  /** The slots that a search selects, as bits that the caller may change. */
  #select({ text, owner, isPublic, isNameMatch }: Search): Bits {
    const bits = this.#result(
      `text ${text}`,
      () => this.#compute(text),
      (value) => this.facts.text(value).includes(text),
    ).slice()

    const names = isNameMatch
      ? this.#ofOwners([...this.#owners.keys()].filter(isNameMatch))
      : undefined
    const own = owner === undefined ? undefined : this.#ofOwners([owner])
    const flip = isPublic === true ? 0 : -1

    for (let at = 0; at < bits.length; at++) {
      let word = ((bits[at] ?? 0) | (names?.[at] ?? 0)) & (this.#live[at] ?? 0)
      if (own) word &= own[at] ?? 0
      if (isPublic !== undefined) word &= (this.#public[at] ?? 0) ^ flip
      bits[at] = word
    }
    return bits
  }

  #ofOwners(ids: readonly string[]): Bits {
    const compute = () => {
      const bits = bitsFor(this.size)
      for (const id of ids) this.#owners.get(id)?.mark(bits)
      return bits
    }
    return this.#result(`owners ${ids.join(' ')}`, compute, (value) =>
      ids.includes(this.facts.owner(value)),
    )
  }

  /** A result that is kept, brought up to date by testing the slots that are newer than it. */
  #result(key: string, compute: () => Bits, test: (value: T) => boolean): Bits {
    const result = this.#results.get(key) ?? { bits: compute(), slots: this.size }
    result.bits = grow(result.bits, this.size)

    for (; result.slots < this.size; result.slots++) {
      const value = this.#slots[result.slots]
      if (value && test(value)) setBit(result.bits, result.slots, true)
    }

    this.#results.delete(key)
    this.#results.set(key, result)
    const [oldest] = this.#results.size > MOST_RESULTS ? this.#results.keys() : []
    if (oldest !== undefined) this.#results.delete(oldest)

    return result.bits
  }

  #compute(text: string): Bits {
    const bits = text.length < 3 ? this.#findShort(text) : this.#findCandidates(text)

    const odd = bitsFor(this.size)
    this.#odd.mark(odd)
    // An odd text is in odd texts only; a short one that is plain is for certain in all others that
    // have its gram.
    if (!PLAIN.test(text)) keepCommon(bits, odd)

    const doubtful = text.length <= 3 ? odd : bits
    eachSlot(doubtful, (slot) => {
      const value = this.#slots[slot]
      if (value && hasBit(bits, slot) && !this.facts.text(value).includes(text))
        setBit(bits, slot, false)
      return true
    })

    return bits
  }

  /** Finds a text of up to two characters by all grams that begin with it. */
  #findShort(text: string): Bits {
    const bits = bitsFor(this.size)
    if (text === '') return bits.fill(-1)
    const first = readGram(text, 0)
    const width = 1 << (6 * (3 - text.length))
    for (let gram = first; gram < first + width; gram++) this.#grams[gram]?.mark(bits)
    return bits
  }

  /** The slots that have the rarest grams of a text. */
  #findCandidates(text: string): Bits {
    const grams = new Set(Array.from({ length: text.length - 2 }, (_, at) => readGram(text, at)))
    const lists = [...grams].map((gram) => this.#grams[gram])
    const present = lists.filter((list) => list !== undefined).sort((a, b) => a.count - b.count)

    const bits = bitsFor(this.size)
    if (present.length < lists.length) return bits
    present[0]?.mark(bits)

    let candidates = present[0]?.count ?? 0
    for (const list of present.slice(1, MOST_LISTS)) {
      if (list.count > candidates * LIST_SHARE) break
      const others = bitsFor(this.size)
      list.mark(others)
      keepCommon(bits, others)
      candidates = countBits(bits)
    }

    return bits
  }

  /** The records at these places of the selection, the newest first. */
  #take(bits: Bits, from: number, to: number): T[] {
    const values: T[] = []
    let skip = from
    let end = bits.length
    while (end > 0 && countIn(bits[end - 1] ?? 0) <= skip) skip -= countIn(bits[--end] ?? 0)
    eachSlot(bits.subarray(0, end), (slot) => {
      const value = this.#slots[slot]
      if (skip-- <= 0 && value) values.push(value)
      return values.length < to - from
    })
    return values
  }

  #key(value: T): string {
    return `${this.facts.owner(value)} ${this.facts.text(value)}`
  }

  #isAt(slot: number, value: T): boolean {
    const there = this.#slots[slot]
    return there !== undefined && this.facts.order(there, value) === 0
  }

  /** The slot of a record, or where it would belong. */
  #find(value: T): number {
    let low = 0
    let high = this.#slots.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const there = this.#slots[middle]
      if (there && this.facts.order(there, value) > 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** A number for the three characters of a text from a place on. */
function readGram(text: string, at: number): number {
  const code = (place: number) => (place < text.length ? codeOf(text.charCodeAt(place)) : END)
  return (code(at) << 12) | (code(at + 1) << 6) | code(at + 2)
}
