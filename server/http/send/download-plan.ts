import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../../core/errors'
import { ifRangeHolds, preconditions, type Validators } from './preconditions'
import type { ByteRange } from '../../core/byte-source'
import { parseRanges } from './range'

/** The properties of a file that determine the reply to a download. */
export interface Representation extends Validators {
  size: number
  type: string
  /** A request for more ranges gets everything. Default: see `parseRanges`. */
  maxParts?: number | undefined
}

/** Part of a body: a byte range of the file, or text. */
export type Piece = ByteRange | string

/** A planned reply, before its first byte. */
export interface Plan {
  status: 200 | 206 | 304
  headers: Record<string, string>
  pieces: Piece[]
}

/**
 * Plans the reply to GET or HEAD by RFC 9110: conditional requests (§13), then ranges (§14; not
 * for HEAD, §14.2). Throws AppError with 412 and 416.
 */
export function planDownload(
  method: string,
  headers: IncomingHttpHeaders,
  file: Representation,
): Plan {
  const verdict = preconditions(headers, file)

  if (verdict === 'failed')
    throw new AppError('precondition_failed', 'The file is not the version that you requested')
  if (verdict === 'not-modified') return { status: 304, headers: {}, pieces: [] }

  const ranges = method === 'GET' ? rangesAsked(headers, file) : undefined
  const [only] = ranges ?? []
  if (only === undefined) return whole(file)
  return ranges?.length === 1 ? part(file, only) : parts(file, ranges ?? [])
}

function rangesAsked(headers: IncomingHttpHeaders, file: Representation): ByteRange[] | undefined {
  const ifRange = headers['if-range']
  if (
    headers.range === undefined ||
    !ifRangeHolds(typeof ifRange === 'string' ? ifRange : undefined, file)
  ) {
    return undefined
  }

  const ranges = parseRanges(headers.range, file.size, file.maxParts)
  if (ranges !== 'unsatisfiable') return ranges
  throw new AppError('range_not_satisfiable', 'The range is outside the file', undefined, {
    'Content-Range': `bytes */${file.size}`,
  })
}

function whole({ size, type }: Representation): Plan {
  const pieces = size === 0 ? [] : [{ start: 0, end: size - 1 }]
  return { status: 200, headers: { 'Content-Type': type, 'Content-Length': String(size) }, pieces }
}

function part({ size, type }: Representation, range: ByteRange): Plan {
  return {
    status: 206,
    headers: {
      'Content-Type': type,
      'Content-Length': String(range.end - range.start + 1),
      'Content-Range': contentRange(range, size),
    },
    pieces: [range],
  }
}

/**
 * `multipart/byteranges` (RFC 9110 §14.6). The random boundary cannot occur in the file. Starts
 * with an empty line, as other servers send: zsync skips a line there, and would repeat its request
 * forever without it.
 */
function parts({ size, type }: Representation, ranges: readonly ByteRange[]): Plan {
  const boundary = randomBytes(18).toString('hex')

  const before = (range: ByteRange) =>
    `\r\n--${boundary}\r\nContent-Type: ${type}\r\nContent-Range: ` +
    `${contentRange(range, size)}\r\n\r\n`

  const pieces: Piece[] = ranges.flatMap((range) => [before(range), range])
  pieces.push(`\r\n--${boundary}--\r\n`)
  const length = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0)

  return {
    status: 206,
    headers: {
      'Content-Type': `multipart/byteranges; boundary=${boundary}`,
      'Content-Length': String(length),
    },
    pieces,
  }
}

const contentRange = ({ start, end }: ByteRange, size: number) => `bytes ${start}-${end}/${size}`
const lengthOf = (piece: Piece) =>
  typeof piece === 'string' ? piece.length : piece.end - piece.start + 1
