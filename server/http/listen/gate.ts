import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Connections } from './connections'
import type { Patience } from './patience'
import { inheritPeer, type Wire } from './peer'
import { SecureDoor, type Certificates } from './secure-door'

/** Node's default is 30 s. */
const CHECK_HEADERS_EVERY_MS = 5000
const CLOSE_IDLE_EVERY_MS = 20
/**
 * How long a client that has just connected may take to send a request while the gate closes, in
 * ms.
 */
const UNSAID_MS = 1000

/** The end of the head of a request (RFC 9112 §2.1). */
const END = '\r\n\r\n'
const LINE_BREAKS: readonly (number | undefined)[] = [10, 13]
/** Most bytes to parse at a time of a body of unknown length, as other requests may follow it. */
const SLICE = 16 * 1024

/** Shared by all connections of a listener. */
export interface GateDeps {
  connections: Connections
  patience: Patience
  /** Sees each new connection before anything else does. */
  onConnection?: (wire: Wire) => void
}

/** One HTTP server with connection limits and TLS detection. */
export class Gate {
  readonly #server: Server
  readonly #door: SecureDoor
  /** All connections. The server does not list those of tunnels. */
  readonly #wires = new Set<Wire>()
  #left: Promise<unknown> | undefined

  constructor(
    handler: RequestListener,
    private readonly deps: GateDeps,
  ) {
    const { connections, patience } = deps

    const ordered = inOrder(handler)
    const handle: RequestListener = (request, response) => {
      if (connections.begin(request, response)) ordered(request, response)
    }

    const looking = {
      connectionsCheckingInterval: Math.min(patience.headersMs, CHECK_HEADERS_EVERY_MS),
    }
    const server = createServer(
      { requestTimeout: 0, headersTimeout: patience.headersMs, ...looking },
      handle,
    )

    server.timeout = patience.idleMs
    // Without a listener Node would ask for the body before the access check.
    server.on('checkContinue', handle)

    this.#server = server
    this.#door = new SecureDoor((wire, raw) => this.#enter(wire, raw), patience)
    this.#accept = server.listeners('connection')[0] as (wire: Wire) => void

    // The door runs before Node's own connection handler.
    server
      .removeAllListeners('connection')
      .on('connection', (socket: Socket) => this.#admit(socket))
  }

  readonly #accept: (wire: Wire) => void

  /** Sets the certificates for new connections. */
  offer(certificates: Certificates): void {
    this.#door.offer(certificates)
  }

  /** Listens at an address, or at a socket that listens already. Throws what Node throws. */
  async listen(place: { host: string; port: number } | { fd: number }): Promise<AddressInfo> {
    this.#server.listen(place)
    await once(this.#server, 'listening')
    // Accepting failed, for example without free descriptors. Other connections continue.
    this.#server.on('error', () => this.deps.connections.missed())
    return this.#server.address() as AddressInfo
  }

  /** Takes a connection that a tunnel delivers. */
  take(wire: Wire): void {
    this.#admit(wire)
  }

  /**
   * Stops listening immediately; running requests continue. Resolves when all connections are
   * closed.
   */
  leave(): Promise<unknown> {
    this.#stop()
    this.#door.close()
    return this.#left ?? Promise.resolve()
  }

  /**
   * Stops listening, gives running requests `drainMs` to finish, then cuts the remaining
   * connections.
   */
  close(drainMs: number): Promise<void> {
    void this.leave()
    return this.#drain(() => false, drainMs)
  }

  /**
   * Stops listening, and answers the clients that are already connected. Resolves when only the
   * connections that `stays` accepts are left. Then call `close`.
   */
  async closeBut(stays: (wire: Wire) => boolean, drainMs: number): Promise<void> {
    this.#stop()
    const refusing = setTimeout(() => this.#door.close(), UNSAID_MS)
    await this.#drain(stays, drainMs)
    clearTimeout(refusing)
  }

  #stop(): void {
    this.#left ??= Promise.all([once(this.#server, 'close'), ...[...this.#wires].map(waitForClose)])
    this.#server.close()
  }

  async #drain(stays: (wire: Wire) => boolean, drainMs: number): Promise<void> {
    const end = performance.now() + drainMs
    for (;;) {
      // Connections whose last response has ended would wait for another request.
      this.#server.closeIdleConnections()
      const others = [...this.#wires].filter((wire) => !stays(wire))
      if (others.length === 0) break
      if (performance.now() >= end) others.forEach((wire) => wire.destroy())
      await pause(CLOSE_IDLE_EVERY_MS)
    }
    if (this.#wires.size === 0) await this.#left
  }

  #admit(wire: Wire): void {
    this.deps.onConnection?.(wire)
    if (!this.deps.connections.admit(wire)) return
    this.#keep(wire)
    this.#door.take(wire)
  }

  #keep(wire: Wire): void {
    this.#wires.add(wire)
    wire.once('close', () => this.#wires.delete(wire))
  }

  #enter(wire: Wire, raw: Wire): void {
    if (wire !== raw) {
      this.#wires.delete(raw)
      this.#keep(wire)
      inheritPeer(wire, raw)
      this.deps.connections.secured(raw, wire)
    }
    serveInOrder(wire, (it) => this.#accept.call(this.#server, it))
  }
}

const waitForClose = (wire: Wire) => new Promise((resolve) => wire.once('close', resolve))

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

/** The latest request of each connection. */
const newest = new WeakMap<object, Exchange>()

/**
 * Passes on the requests of a connection one at a time: pipelined ones (RFC 9112 §9.3.2) would let
 * a few connections start thousands at once. Refuses targets without a path (RFC 9112 §3.2), such
 * as `*`, because no call has one.
 */
function inOrder(handler: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request
    const before = newest.get(socket)?.response
    newest.set(socket, { request, response })

    if (!hasPath(request.url ?? '')) return refuse(response)

    const run = () => {
      // A reply that closes the connection is the last one (RFC 9112 §9.6).
      if (socket.writable) handler(request, response)
      else socket.destroy()
    }

    if (!before || before.closed) return run()
    process.nextTick(() => readOneByOne(socket))
    // Runs in another tick, so that new connections are accepted in between.
    before.once('close', () => setImmediate(run))
  }
}

/** A path, or a whole address as proxies send it. */
const hasPath = (target: string) =>
  target.startsWith('/') || (/^https?:\/\/[^/]/i.test(target) && URL.canParse(target))

function refuse(response: ServerResponse): void {
  const body = JSON.stringify({
    success: false,
    error: 'The request names no path',
    code: 'invalid_input',
  })
  response
    .writeHead(400, { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' })
    .end(body)
}

/** The connections that `readOneByOne` reads. */
const readingOneByOne = new WeakSet<Wire>()

/**
 * Lets Node's parser see one request of a connection at a time, and each in its own tick of the
 * event loop; later bytes wait in the socket. Otherwise the parser takes all requests of 64 kB in
 * one tick, on each connection. This slows down reading bodies, so it applies only to clients that
 * pipeline requests. Call it once Node serves the connection.
 */
function readOneByOne(wire: Wire): void {
  const [parse] = wire.listeners('data') as ((bytes: Buffer) => void)[]
  if (!parse || readingOneByOne.has(wire)) return
  readingOneByOne.add(wire)
  let current: Exchange | undefined
  /** Remaining bytes of the current request's body. */
  let left = 0

  const take = (bytes: Buffer) => {
    for (let rest = bytes; rest.length > 0;) {
      if (current?.request.complete === true && !current.response.closed) {
        wire.pause()
        wire.unshift(rest)
        return
      }

      const length =
        current && !current.request.complete ? bodyLength(rest, left) : headLength(rest)

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

/**
 * Hands a connection whose first bytes wait to Node's server, and reads it one request at a
 * time where they are several.
 */
function serveInOrder(wire: Wire, serve: (wire: Wire) => void): void {
  const bytes = wire.read() as Buffer | null
  if (bytes) wire.unshift(bytes)
  serve(wire)
  const isReading = bytes && /^(GET|HEAD) /.test(bytes.toString('latin1', 0, 5))
  if (isReading && bytes.includes(END, headLength(bytes))) readOneByOne(wire)
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
