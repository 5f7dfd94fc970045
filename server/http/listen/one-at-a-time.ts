import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Wire } from './peer'

/** The end of the head of a request (RFC 9112 §2.1). */
const END = '\r\n\r\n'
const LINE_BREAKS: readonly (number | undefined)[] = [10, 13]
/** What is read at once of a body whose end is not known, in bytes: other requests may follow it. */
const SLICE = 16 * 1024

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

/** By connection, the request that began last. */
const newest = new WeakMap<object, Exchange>()

/**
 * Passes on the requests of a connection one at a time: pipelined ones (RFC 9112 §9.3.2) would let a few connections
 * start thousands at once. Refuses targets without a path (RFC 9112 §3.2), such as `*`, because no call has one.
 */
export function inOrder(handler: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request
    const before = newest.get(socket)?.response
    newest.set(socket, { request, response })
    if (!hasPath(request.url ?? '')) return refuse(response)
    const run = () => {
      // Nothing runs behind a reply that closes the connection (RFC 9112 §9.6).
      if (socket.writable) handler(request, response)
      else socket.destroy()
    }
    if (!before || before.closed) return run()
    process.nextTick(() => readInTurn(socket))
    // In another turn, so that new connections are accepted in between.
    before.once('close', () => setImmediate(run))
  }
}

/** A path, or a whole address as proxies send it. */
const hasPath = (target: string) => target.startsWith('/') || (/^https?:\/\/[^/]/i.test(target) && URL.canParse(target))

function refuse(response: ServerResponse): void {
  const body = JSON.stringify({ success: false, error: 'The request names no path', code: 'invalid_input' })
  response.writeHead(400, { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' }).end(body)
}

/** The connections that `readInTurn` reads. */
const inTurn = new WeakSet<Wire>()

/**
 * Lets Node's parser see one request of a connection at a time, and each in a turn of the event loop of its own; the rest
 * waits in the socket. Otherwise the parser takes all requests of 64 kB in one turn, on each connection. Reading bodies
 * becomes slower, so it is for clients that pipeline requests. Call it once Node serves the connection.
 */
function readInTurn(wire: Wire): void {
  const [parse] = wire.listeners('data') as ((bytes: Buffer) => void)[]
  if (!parse || inTurn.has(wire)) return
  inTurn.add(wire)
  let current: Exchange | undefined
  /** Of the body of the current request, in bytes. */
  let left = 0

  const take = (bytes: Buffer) => {
    for (let rest = bytes; rest.length > 0;) {
      if (current?.request.complete === true && !current.response.closed) {
        wire.pause()
        wire.unshift(rest)
        return
      }
      const length = current && !current.request.complete ? bodyLength(rest, left) : headLength(rest)
      parse.call(wire, rest.subarray(0, length))
      if (wire.destroyed) return
      rest = rest.subarray(length)
      left -= length
      if (current !== newest.get(wire)) begin()
    }
  }
  const begin = () => {
    current = newest.get(wire)
    left = Number(current?.request.headers['content-length'] ?? Infinity)
    current?.response.once('close', () => setImmediate(() => wire.resume()))
  }
  wire.on('data', take).off('data', parse)
  if (newest.has(wire)) begin()
}

/** Hands a connection whose first bytes wait to Node's server, and reads it in turn where they are several requests. */
export function serveInOrder(wire: Wire, serve: (wire: Wire) => void): void {
  const bytes = wire.read() as Buffer | null
  if (bytes) wire.unshift(bytes)
  serve(wire)
  const isReading = bytes && /^(GET|HEAD) /.test(bytes.toString('latin1', 0, 5))
  if (isReading && bytes.includes(END, headLength(bytes))) readInTurn(wire)
}

/** Ends where the body does, so that the next request waits. */
const bodyLength = ({ length }: Buffer, left: number): number =>
  Math.min(length, left > 0 && left < Infinity ? left : SLICE)

/** Ends where the head does. Line breaks may precede it. */
function headLength(bytes: Buffer): number {
  let start = 0
  while (LINE_BREAKS.includes(bytes[start])) start++
  const end = bytes.indexOf(END, start)
  return end < 0 ? bytes.length : end + END.length
}
