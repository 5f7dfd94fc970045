import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Connections } from './connections'
import { inOrder, serveInOrder } from './one-at-a-time'
import type { Patience } from './patience'
import { inheritPeer, type Wire } from './peer'
import { SecureDoor, type Certificates } from './secure-door'

/** Node's default is 30 s. */
const CHECK_HEADERS_EVERY_MS = 5000
const CLOSE_IDLE_EVERY_MS = 20
/** How long a visitor who has just connected may take to ask, while the gate closes, in ms. */
const UNSAID_MS = 1000

/** What every connection of a listener passes. */
export interface GateDeps {
  connections: Connections
  patience: Patience
  /** Sees each new connection before anything else does. */
  onConnection?: (wire: Wire) => void
}

/** One HTTP server behind the limits of connections and the detection of TLS. */
export class Gate {
  readonly #server: Server
  readonly #door: SecureDoor
  /** All connections; the server does not know those of tunnels. */
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
    const looking = { connectionsCheckingInterval: Math.min(patience.headersMs, CHECK_HEADERS_EVERY_MS) }
    const server = createServer({ requestTimeout: 0, headersTimeout: patience.headersMs, ...looking }, handle)
    server.timeout = patience.idleMs
    // Without a listener Node would ask for the body before the access check.
    server.on('checkContinue', handle)
    this.#server = server
    this.#door = new SecureDoor((wire, raw) => this.#enter(wire, raw), patience)
    this.#accept = server.listeners('connection')[0] as (wire: Wire) => void
    // The door runs before Node's own connection handler.
    server.removeAllListeners('connection').on('connection', (socket: Socket) => this.#admit(socket))
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

  /** Stops listening immediately; running requests continue. Resolves when all connections are closed. */
  leave(): Promise<unknown> {
    this.#stop()
    this.#door.close()
    return this.#left ?? Promise.resolve()
  }

  /** Leaves, gives running requests `drainMs` to finish, then cuts the rest. */
  close(drainMs: number): Promise<void> {
    void this.leave()
    return this.#drain(() => false, drainMs)
  }

  /**
   * Stops listening, and answers those who have connected by now. Lets some connections be; resolves when they are the
   * only ones. Close it then.
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
