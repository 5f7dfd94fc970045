/** Bytes that one step takes: "slicing by 8" is four times as fast as byte by byte. */
const STEP = 8

/**
 * Tables for the reversed polynomial 0xedb88320 (APPNOTE 6.3.10 §4.4.7): 256 sums of one byte,
 * then of one byte followed by zeros.
 */
const TABLE = makeTable()

function makeTable(): Uint32Array {
  const table = new Uint32Array(256 * STEP)

  for (let byte = 0; byte < 256; byte++) {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
    table[byte] = value
  }

  for (let index = 256; index < table.length; index++) {
    const before = table[index - 256] ?? 0
    table[index] = (before >>> 8) ^ (table[before & 0xff] ?? 0)
  }
  return table
}

/**
 * Continues a CRC-32 from 0, in browsers and in the Node of CI machines, whose zlib may lack it.
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  const at = (index: number) => bytes[index] as number
  const sum = (zeros: number, byte: number) => TABLE[256 * zeros + byte] as number
  const steps = bytes.length - (bytes.length % STEP)
  let value = ~before

  for (let index = 0; index < steps; index += STEP) {
    const low =
      value ^ (at(index) | (at(index + 1) << 8) | (at(index + 2) << 16) | (at(index + 3) << 24))
    const first =
      sum(7, low & 0xff) ^
      sum(6, (low >>> 8) & 0xff) ^
      sum(5, (low >>> 16) & 0xff) ^
      sum(4, low >>> 24)
    value =
      first ^
      sum(3, at(index + 4)) ^
      sum(2, at(index + 5)) ^
      sum(1, at(index + 6)) ^
      sum(0, at(index + 7))
  }

  for (let index = steps; index < bytes.length; index++)
    value = (value >>> 8) ^ sum(0, (value ^ at(index)) & 0xff)
  return ~value >>> 0
}
