import { AppError } from '../../core/errors'

/** A name and its value; names in lower case. */
export type HeaderLine = [name: string, value: string]

/** What a part may say of itself: more is no form of ours. */
const MAX_BYTES = 16 * 1024
const MAX_LINES = 32

const CRLF = '\r\n'
const END = Buffer.from('\r\n\r\n')
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Gathers the header of one part after the other (RFC 2046 §5.1), however it is cut into chunks. */
export class PartHeader {
  /** The line end that closed the delimiter belongs to the search: a part may have no header at all. */
  readonly #buffer = Buffer.alloc(MAX_BYTES + END.length, CRLF)
  #filled = CRLF.length

  /**
   * Takes bytes of a chunk from `at`; answers how far it has read and, when the header has ended, what it says. Throws
   * `too_large`, and `invalid_input` for what is no header.
   */
  take(chunk: Buffer, at: number): { next: number; lines?: HeaderLine[] } {
    const copied = chunk.copy(this.#buffer, this.#filled, at)
    const filled = this.#filled + copied
    const end = this.#buffer.subarray(0, filled).indexOf(END, Math.max(0, this.#filled - END.length + 1))
    if (end < 0) {
      if (filled === this.#buffer.length) throw new AppError('too_large', 'The header of a part is too large')
      this.#filled = filled
      return { next: at + copied }
    }
    const next = at + end + END.length - this.#filled
    this.#filled = CRLF.length
    return { next, lines: end === 0 ? [] : linesOf(this.#buffer.toString('utf8', CRLF.length, end)) }
  }
}

function linesOf(text: string): HeaderLine[] {
  const lines = text.split(CRLF)
  if (lines.length > MAX_LINES) throw new AppError('too_large', 'The header of a part has too many lines')
  return lines.map((line) => {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon))
    if (!NAME.test(name) || line.includes('\r')) throw malformedForm()
    return [name.toLowerCase(), line.slice(colon + 1).replace(/^ +/, '')]
  })
}

export const malformedForm = (): AppError =>
  new AppError('invalid_input', 'The upload could not be read: it is cut or malformed')
