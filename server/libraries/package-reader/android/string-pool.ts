const UTF8 = 0x100
/** Limit for names, in characters. A name of megabytes could be referenced many times. */
const LONGEST = 1000

/**
 * A chunk of strings in binary XML or resources.arsc (frameworks/base, ResourceTypes.h:
 * ResStringPool).
 */
export class StringPool {
  readonly #chunk: Buffer

  constructor(chunk: Buffer) {
    this.#chunk = chunk
  }

  /** Throws for an index or offset outside. A string that is too long is empty. */
  at(index: number): string {
    const chunk = this.#chunk
    if (index >= chunk.readUInt32LE(8)) throw new RangeError('No such string')
    const start = chunk.readUInt32LE(20) + chunk.readUInt32LE(chunk.readUInt16LE(2) + 4 * index)
    const isUtf8 = (chunk.readUInt32LE(16) & UTF8) !== 0
    return isUtf8 ? utf8At(chunk, start) : utf16At(chunk, start)
  }
}

/** Two lengths, in characters and in bytes, of one or two bytes each; then the text. */
function utf8At(chunk: Buffer, start: number): string {
  const behind = start + (chunk.readUInt8(start) < 0x80 ? 1 : 2)
  const first = chunk.readUInt8(behind)
  const isShort = first < 0x80
  const length = isShort ? first : ((first & 0x7f) << 8) | chunk.readUInt8(behind + 1)
  const at = behind + (isShort ? 1 : 2)
  return length > LONGEST ? '' : chunk.toString('utf8', at, at + length)
}

/** A length of one or two units; then the text. */
function utf16At(chunk: Buffer, start: number): string {
  const length = chunk.readUInt16LE(start)
  return length > LONGEST ? '' : chunk.toString('utf16le', start + 2, start + 2 + 2 * length)
}
