import { gzipSync } from 'node:zlib'
import { blake2b } from '@noble/hashes/blake2.js'

/** Bytes of a block. */
const LEAST = 8 * 1024
const MOST = 32 * 1024
/** A block ends where all these bits of the fingerprint are set: on average after 16 KiB. */
const MASK = 16 * 1024 - 1
/** Bytes that the fingerprint depends on. */
const WINDOW = 64
/** Irreducible over GF(2), degree 63. */
const POLYNOMIAL = 0xbfe6b8a5bf378d83n
const CHECKSUM_BYTES = 18

/**
 * The map of a file's blocks, by which electron-updater downloads only those that it does not have:
 * gzip of JSON with the size and BLAKE2b of each block. Blocks end where their content says so
 * (Rabin fingerprint), so that they stay equal when bytes before them move. Equal to the maps of
 * electron-builder 26 (app-builder-lib, targets/blockmap).
 */
export class BlockMap {
  readonly #checksums: string[] = []
  readonly #sizes: number[] = []
  #rest: Buffer = Buffer.alloc(0)

  /** Adds the next bytes of the file; does not keep the buffer. */
  add(bytes: Buffer): void {
    const buffer = Buffer.concat([this.#rest, bytes])
    let start = 0
    while (buffer.length - start >= MOST) start = this.#take(buffer, start)
    this.#rest = buffer.subarray(start)
  }

  /** Returns the map of all bytes. */
  end(): Buffer {
    for (let start = 0; start < this.#rest.length;) start = this.#take(this.#rest, start)
    const files = [{ name: 'file', offset: 0, checksums: this.#checksums, sizes: this.#sizes }]
    return gzipSync(JSON.stringify({ version: '2', files }), { level: 9 })
  }

  #take(bytes: Buffer, start: number): number {
    const end = endOfBlock(bytes, start)
    const checksum = blake2b(bytes.subarray(start, end), { dkLen: CHECKSUM_BYTES })
    this.#checksums.push(Buffer.from(checksum).toString('base64'))
    this.#sizes.push(end - start)
    return end
  }
}

/** Runs for each byte, so the fingerprint of 63 bits is in two numbers. */
function endOfBlock(bytes: Buffer, start: number): number {
  const end = Math.min(bytes.length, start + MOST)
  const least = start + LEAST
  if (least >= end) return end

  let high = 0
  let low = 0
  for (let at = least - WINDOW; ; at++) {
    if (at >= least) {
      if ((low & MASK) === MASK || at === end) return at
      const leaving = bytes[at - WINDOW] as number
      high ^= leaves.high[leaving] as number
      low ^= leaves.low[leaving] as number
    }

    const top = (high >>> 23) & 0xff
    high = (((high << 8) | (low >>> 24)) & 0x7fffffff) ^ (enters.high[top] as number)
    low = ((low << 8) | (bytes[at] as number)) ^ (enters.low[top] as number)
  }
}

/**
 * The change of the fingerprint for each value of the top byte, and of the byte that leaves the
 * window.
 */
const enters = createShiftTables(63)
const leaves = createShiftTables((WINDOW - 1) * 8)

/** Each byte times x^bits, modulo the polynomial. */
function createShiftTables(bits: number) {
  const high = new Int32Array(256)
  const low = new Int32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let value = BigInt(byte)
    for (let bit = 0; bit < bits; bit++) {
      value <<= 1n
      if (value >> 63n) value ^= POLYNOMIAL
    }

    high[byte] = Number(BigInt.asIntN(32, value >> 32n))
    low[byte] = Number(BigInt.asIntN(32, value))
  }

  return { high, low }
}
