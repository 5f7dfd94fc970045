// Node also runs this file unbundled, in a worker: types must be erasable.

const MOST_SECTIONS = 200
const MOST_TEXT = 4096
const SECTION_BYTES = 64
const SECTION = '.upd_info'

/** Reads bytes of a file. */
type Read = (at: number, length: number) => Buffer

/**
 * Update information of an AppImage: the text of its section `.upd_info` (AppImage specification,
 * "Update information"). Empty if there is none. Reads 64-bit little-endian programs only. Throws
 * if the file is damaged.
 */
export function readUpdateInfo(read: Read, size: number): string {
  const header = size < SECTION_BYTES ? Buffer.alloc(0) : Buffer.from(read(0, SECTION_BYTES))
  if (header.toString('latin1', 0, 6) !== '\u007fELF\u0002\u0001') return ''

  const at = Number(header.readBigUInt64LE(40))
  const count = Math.min(header.readUInt16LE(60), MOST_SECTIONS)
  if (!(at + count * SECTION_BYTES <= size)) return ''

  const sections = Array.from({ length: count }, (_, index) => {
    const section = Buffer.from(read(at + index * SECTION_BYTES, SECTION_BYTES))
    return {
      name: section.readUInt32LE(0),
      at: Number(section.readBigUInt64LE(24)),
      length: Number(section.readBigUInt64LE(32)),
    }
  })

  const readText = (place: number, most: number) =>
    place < size
      ? read(place, Math.min(most, size - place))
          .toString('latin1')
          .split('\0', 1)
          .join('')
      : ''

  const names = sections[header.readUInt16LE(62)]
  const own = sections.find(
    ({ name }) => names && readText(names.at + name, SECTION.length + 1) === SECTION,
  )
  return own && own.length > 0 ? readText(own.at, Math.min(own.length, MOST_TEXT)) : ''
}

/** Block sizes of zsync for a file, as zsyncmake 0.6.2 chooses them. Lengths in bytes. */
export function planZsync(size: number) {
  const block = size < 100_000_000 ? 2048 : 4096
  const run = size > block ? 2 : 1
  const weak = Math.ceil((Math.log2(size) + Math.log2(block) - 8.6) / run / 8)
  const blocks = Math.log2(1 + Math.floor(size / block))
  const strong = Math.max(
    Math.ceil((20 + Math.log2(size) + blocks) / run / 8),
    Math.floor((7.9 + 20 + blocks) / 8),
  )
  return { block, run, weak: Math.min(4, Math.max(2, weak)), strong: Math.min(16, strong) }
}

/** The sums of all blocks of a file, as they follow the header of a .zsync file. */
export class ZsyncSums {
  readonly #parts: Buffer[] = []
  readonly #plan: ReturnType<typeof planZsync>
  #rest: Buffer = Buffer.alloc(0)

  constructor(size: number) {
    this.#plan = planZsync(size)
  }

  /** The next bytes of the file. */
  add(bytes: Buffer): void {
    const { block } = this.#plan
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes
    const whole = all.length - (all.length % block)
    for (let at = 0; at < whole; at += block) this.#sum(all.subarray(at, at + block))
    this.#rest = Buffer.from(all.subarray(whole))
  }

  /** Zeros fill the last block. */
  end(): Buffer {
    const { block } = this.#plan
    if (this.#rest.length > 0)
      this.#sum(Buffer.concat([this.#rest, Buffer.alloc(block - this.#rest.length)]))
    return Buffer.concat(this.#parts)
  }

  #sum(bytes: Buffer): void {
    const { block, weak, strong } = this.#plan
    let a = 0
    let b = 0

    for (let at = 0; at < block; at++) {
      const byte = bytes[at] ?? 0
      a = (a + byte) & 0xffff
      b = (b + (block - at) * byte) & 0xffff
    }

    const sum = Buffer.alloc(4)
    sum.writeUInt16BE(a, 0)
    sum.writeUInt16BE(b, 2)
    this.#parts.push(sum.subarray(4 - weak), md4(bytes).subarray(0, strong))
  }
}

/** Shifts and orders of words of the three rounds (RFC 1320 §3.4). */
const SHIFTS = [
  [3, 7, 11, 19],
  [3, 5, 9, 13],
  [3, 9, 11, 15],
]
const ORDERS = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
  [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
]
const ADDED = [0, 0x5a827999, 0x6ed9eba1]

/**
 * MD4 (RFC 1320): OpenSSL 3 has it no more. zsync detects changed blocks with it, and compares the
 * SHA-1 at the end.
 */
function md4(bytes: Buffer): Buffer {
  const padded = Buffer.alloc(Math.ceil((bytes.length + 9) / 64) * 64)
  bytes.copy(padded)
  padded[bytes.length] = 0x80
  padded.writeBigUInt64LE(BigInt(bytes.length) * 8n, padded.length - 8)

  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476])
  const words = new Int32Array(16)
  for (let at = 0; at < padded.length; at += 64) {
    for (let word = 0; word < 16; word++) words[word] = padded.readInt32LE(at + word * 4)
    mix(state, words)
  }

  const digest = Buffer.alloc(16)
  state.forEach((word, index) => digest.writeInt32LE(word, index * 4))
  return digest
}

function mix(state: Int32Array, words: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0] = state

  const before = [a, b, c, d]
  for (let round = 0; round < 3; round++) {
    const order = ORDERS[round]
    const shifts = SHIFTS[round]
    const added = ADDED[round] ?? 0
    for (let step = 0; step < 16; step++) {
      const chosen =
        round === 0 ? (b & c) | (~b & d) : round === 1 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d

      const sum = (a + chosen + (words[order?.[step] ?? 0] ?? 0) + added) | 0
      const shift = shifts?.[step & 3] ?? 0
      a = d
      d = c
      c = b
      b = (sum << shift) | (sum >>> (32 - shift))
    }
  }

  for (const [index, word] of [a, b, c, d].entries())
    state[index] = ((before[index] ?? 0) + word) | 0
}
