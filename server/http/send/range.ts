import type { ByteRange } from '../../core/byte-source'

/**
 * More parts than this send the whole file (RFC 9110 §14.2, §17.15). electron-updater asks for up
 * to 500. Each part costs one read; Node's limit of 16 KiB for all headers bounds the text.
 */
const MAX_PARTS = 512

/**
 * Parses a Range header (RFC 9110 §14.1.2): the ranges in the requested order, overlapping and
 * adjacent ones joined. Undefined means the whole file: other units, malformed, more than
 * `maxParts` (§14.2, §17.15), or an empty file.
 */
export function parseRanges(
  header: string,
  size: number,
  maxParts = MAX_PARTS,
): ByteRange[] | 'unsatisfiable' | undefined {
  const set = /^bytes=(.*)$/is.exec(header)?.[1]
  if (set === undefined || size === 0) return undefined

  const specs = set
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '')

  const read = specs.map((spec) => parseSpec(spec, size))
  if (read.length === 0 || read.includes('malformed')) return undefined

  const ranges = joinRanges(read.filter((range) => typeof range === 'object'))
  if (ranges.length === 0) return 'unsatisfiable'
  return ranges.length > maxParts ? undefined : ranges
}

function parseSpec(spec: string, size: number): ByteRange | 'unsatisfiable' | 'malformed' {
  const match = /^(?:(\d+)-(\d*)|-(\d+))$/.exec(spec)

  if (!match) return 'malformed'
  const [, first, last, suffix] = match

  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }

  const start = Number(first)
  if (last && isLess(last, first ?? '')) return 'malformed'
  if (start >= size) return 'unsatisfiable'
  return { start, end: last ? Math.min(Number(last), size - 1) : size - 1 }
}

/** Compares decimals of any length: beyond 2^53 a Number is not exact. */
const isLess = (a: string, b: string) => BigInt(a) < BigInt(b)

/** Joins overlapping and adjacent ranges at the position of the first. */
function joinRanges(ranges: readonly ByteRange[]): ByteRange[] {
  const ascending = ranges
    .map((range, order) => ({ ...range, order }))
    .sort((a, b) => a.start - b.start)

  const joined: typeof ascending = []
  for (const range of ascending) {
    const before = joined.at(-1)
    if (before === undefined || range.start > before.end + 1) {
      joined.push(range)
    } else {
      before.end = Math.max(before.end, range.end)
      before.order = Math.min(before.order, range.order)
    }
  }

  return joined.sort((a, b) => a.order - b.order).map(({ start, end }) => ({ start, end }))
}
