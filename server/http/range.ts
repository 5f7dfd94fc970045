/** First and last byte, both included, as in `Content-Range`. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Reads a Range header (RFC 9110 §14.1.2) for a file of `size` bytes. Undefined: there is none that we serve, so the
 * whole file is sent, which the RFC allows for malformed headers, other units and several ranges.
 */
export function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const asked = /^bytes=\s*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))\s*$/i.exec(header)
  if (!asked) return undefined
  const [, first, last, suffix] = asked
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === undefined || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start >= size) return 'unsatisfiable'
  return end < start ? undefined : { start, end }
}
