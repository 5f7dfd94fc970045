import { PartHeader, type HeaderLine } from './part-header'

const [CR, LF, DASH] = [0x0d, 0x0a, 0x2d]

/** What a multipart body is made of, in its order. */
export type Found =
  | { kind: 'part'; header: HeaderLine[] }
  /** Bytes of the part: a view of the chunk, without a copy. */
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'part-end' }
  | { kind: 'end' }

/**
 * Finds the parts of a multipart body (RFC 2046 §5.1.1) in chunks that are cut anywhere. It looks for whole delimiters
 * with `indexOf` and keeps back at most one that a chunk may have cut, so its work is linear in any content: no run of
 * `\r` and nothing like a delimiter makes it slow.
 */
export class MultipartScanner {
  readonly #delimiter: Buffer
  readonly #header = new PartHeader()
  #state: 'preamble' | 'header' | 'body' | 'end' = 'preamble'
  /** Bytes of a delimiter, and of the two bytes after it, at the end of what has come. A body begins as if by CRLF. */
  #held = 2
  /** The byte after a delimiter that was cut behind it. */
  #after = 0

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
  }

  /** Whether the closing delimiter has been found: without it the body was cut. */
  get isComplete(): boolean {
    return this.#state === 'end'
  }

  /** Finds what is in the next chunk. Throws AppError for part headers that are malformed or too large. */
  *scan(chunk: Buffer): Generator<Found, void, void> {
    let at = 0
    while (at < chunk.length && this.#state !== 'end') {
      if (this.#state === 'header') {
        const { next, lines } = this.#header.take(chunk, at)
        at = next
        if (lines === undefined) return
        this.#state = 'body'
        yield { kind: 'part', header: lines }
      } else if (this.#held > 0) at = yield* this.#goOn(chunk, at)
      else at = yield* this.#search(chunk, at)
    }
  }

  /** Looks for the next delimiter; answers where to go on. */
  *#search(chunk: Buffer, from: number): Generator<Found, number, void> {
    const { length } = this.#delimiter
    for (let start = from; ;) {
      const found = chunk.indexOf(this.#delimiter, start)
      if (found < 0) {
        this.#held = this.#cutDelimiter(chunk, start)
        yield* this.#data(chunk.subarray(from, chunk.length - this.#held))
        return chunk.length
      }
      start = found + length
      const [after, last] = [chunk[start], chunk[start + 1]]
      if (last === undefined ? after === undefined || mayFollow(after) : follows(after, last)) {
        yield* this.#data(chunk.subarray(from, found))
        this.#held = length
        return start
      }
    }
  }

  /** Goes on with a delimiter of which `#held` bytes have come. Should it be none, they were data. */
  *#goOn(chunk: Buffer, from: number): Generator<Found, number, void> {
    const { length } = this.#delimiter
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]
      if (this.#held > length) {
        if (!follows(this.#after, byte)) return yield* this.#release(at)
        yield* this.#delimited(byte === DASH)
        return at + 1
      }
      if (this.#held === length ? !mayFollow(byte) : byte !== this.#delimiter[this.#held])
        return yield* this.#release(at)
      this.#after = byte ?? 0
      this.#held++
    }
    return chunk.length
  }

  *#release(at: number): Generator<Found, number, void> {
    const { length } = this.#delimiter
    const bytes = Buffer.from(this.#delimiter.subarray(0, this.#held))
    yield* this.#data(this.#held > length ? Buffer.from([...bytes, this.#after]) : bytes)
    this.#held = 0
    return at
  }

  *#delimited(isLast: boolean): Generator<Found, void, void> {
    const wasInPart = this.#state === 'body'
    this.#held = 0
    this.#state = isLast ? 'end' : 'header'
    if (wasInPart) yield { kind: 'part-end' }
    if (isLast) yield { kind: 'end' }
  }

  /** What comes before the first delimiter is not data. */
  *#data(bytes: Buffer): Generator<Found, void, void> {
    if (bytes.length > 0 && this.#state === 'body') yield { kind: 'data', bytes }
  }

  /** How many bytes at the end of the chunk may begin a delimiter. It holds no further CR, so the last one decides. */
  #cutDelimiter(chunk: Buffer, from: number): number {
    const start = chunk.lastIndexOf(CR)
    const bytes = chunk.length - start
    if (start < from || bytes >= this.#delimiter.length) return 0
    return chunk.compare(this.#delimiter, 0, bytes, start) === 0 ? bytes : 0
  }
}

/** A delimiter ends with CRLF, the last one with two dashes (padding, which nobody sends, is not taken). */
const mayFollow = (byte: number | undefined) => byte === CR || byte === DASH
const follows = (after: number | undefined, last: number | undefined) =>
  (after === CR && last === LF) || (after === DASH && last === DASH)
