import { IncomingForm } from 'formidable'
import { MultipartScanner } from '../../../server/http/receive/multipart-scanner'

interface Part {
  lines: [string, string][]
  /** In hexadecimal. */
  content: string
}

/** What a parser made of a body. */
export interface Outcome {
  parts: Part[]
  /** Whether the body ended as a form does. */
  ended: boolean
}

/** The body, cut at these places. */
export function chunked(body: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => Math.min(cut, body.length)).sort((a, b) => a - b), body.length]
  return places.slice(1).map((end, index) => body.subarray(places[index], end))
}

/** What our scanner makes of it; what it refuses has not ended. */
export function scanned(boundary: string, chunks: readonly Buffer[]): Outcome {
  const scanner = new MultipartScanner(boundary)
  const parts: Part[] = []
  try {
    for (const chunk of chunks) {
      for (const found of scanner.scan(chunk)) {
        const part = parts.at(-1)
        if (found.kind === 'part') parts.push({ lines: found.header, content: '' })
        else if (found.kind === 'data' && part) part.content += found.bytes.toString('hex')
      }
    }
  } catch {
    return { parts: [], ended: false }
  }
  return { parts, ended: scanner.isComplete }
}

interface Event {
  name: string
  text: string
}

type Done = (error?: Error) => void

interface StockParser {
  initWithBoundary(boundary: string): void
  _handleCallback(name: string, bytes?: Buffer, start?: number, end?: number): void
  _transform(chunk: Buffer, encoding: null, done: Done): void
  _flush(done: Done): void
}

/** What formidable's own parser makes of it, in one chunk. */
export function stock(boundary: string, body: Buffer): Outcome {
  const parser = (new IncomingForm() as unknown as { _newParser(): StockParser })._newParser()
  const events: Event[] = []
  const errors: Error[] = []
  const done: Done = (error) => {
    if (error) errors.push(error)
  }
  parser._handleCallback = (name, bytes, start, end) => {
    if (start !== undefined && start === end) return
    const encoding = name === 'partData' ? 'hex' : 'utf8'
    events.push({ name, text: bytes?.toString(encoding, start, end) ?? '' })
  }
  parser.initWithBoundary(boundary)
  parser._transform(body, null, done)
  if (errors.length === 0) parser._flush(done)
  return errors.length > 0 ? { parts: [], ended: false } : { parts: partsOf(events), ended: true }
}

function partsOf(events: readonly Event[]): Part[] {
  const parts: Part[] = []
  let [field, value] = ['', '']
  for (const { name, text } of events) {
    const part = parts.at(-1)
    if (name === 'partBegin') parts.push({ lines: [], content: '' })
    else if (name === 'headerField') field += text
    else if (name === 'headerValue') value += text
    else if (name === 'headerEnd') {
      part?.lines.push([field.toLowerCase(), value])
      ;[field, value] = ['', '']
    } else if (name === 'partData' && part) part.content += text
  }
  return parts
}
