/** One bit for each slot, 32 to a word. */
export type Bits = Uint32Array<ArrayBuffer>

export const bitsFor = (slots: number): Bits => new Uint32Array((slots + 31) >>> 5)

export const hasBit = (bits: Bits, slot: number): boolean =>
  (((bits[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 1

export function setBit(bits: Bits, slot: number, value: boolean): void {
  const word = bits[slot >>> 5] ?? 0
  const bit = 1 << (slot & 31)
  bits[slot >>> 5] = value ? word | bit : word & ~bit
}

/** Clears the bits that the others do not have. */
export function keepCommon(bits: Bits, others: Bits): void {
  for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] ?? 0) & (others[at] ?? 0)
}

/**
 * Returns the bits with room for more slots: half as many again, so that adding slots one by one
 * stays cheap.
 */
export function grow(bits: Bits, slots: number): Bits {
  if (slots <= bits.length * 32) return bits
  const larger = bitsFor(slots + (slots >>> 1))
  larger.set(bits)
  return larger
}

export function countBits(bits: Bits): number {
  let count = 0
  for (let at = 0; at < bits.length; at++) count += countIn(bits[at] ?? 0)
  return count
}

/** Counts the ones of a word in parallel: in pairs, in fours, in bytes. */
export function countIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Calls `each` with the slots of the bits, the highest first, until it returns false. */
export function eachSlot(bits: Bits, each: (slot: number) => boolean): void {
  for (let at = bits.length - 1; at >= 0; at--) {
    for (let word = bits[at] ?? 0; word !== 0;) {
      const bit = 31 - Math.clz32(word)
      if (!each(at * 32 + bit)) return
      word &= ~(1 << bit)
    }
  }
}

/**
 * Ascending slots. Each is kept as its distance from the one before, in as many groups of 7 bits as
 * that needs.
 */
export class SlotList {
  count = 0
  #bytes = new Uint8Array(8)
  #used = 0
  #last = -1

  /** Adds a slot that is no lower than those before; again the last one: nothing happens. */
  add(slot: number): void {
    if (slot === this.#last) return

    if (this.#used + 5 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 1.5)
      larger.set(this.#bytes)
      this.#bytes = larger
    }

    let distance = slot - this.#last
    for (; distance > 127; distance >>>= 7) this.#bytes[this.#used++] = (distance & 127) | 128
    this.#bytes[this.#used++] = distance

    this.#last = slot
    this.count++
  }

  /** Sets the bit of each slot. */
  mark(bits: Bits): void {
    const bytes = this.#bytes
    const used = this.#used
    let slot = -1

    for (let at = 0; at < used;) {
      let byte = bytes[at++] ?? 0
      let distance = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0
        distance |= (byte & 127) << shift
      }

      slot += distance
      bits[slot >>> 5] = (bits[slot >>> 5] ?? 0) | (1 << (slot & 31))
    }
  }
}
