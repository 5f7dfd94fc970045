import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Connections } from './connections'
import { holderText, portHolder } from './port-holder'
import { SecureDoor, type Offer } from './secure-door'

/** Client timeouts, in ms. */
export interface Patience {
  /** Cuts a connection without traffic. */
  idleMs: number
  /** First byte of a new connection. */
  firstByteMs: number
  headersMs: number
  bodyMs: number
  /** Cuts a client that does not read a JSON reply. */
  unreadMs: number
  /** A silent request releases its upload to the next request. */
  silentMs: number
}

/** No limit for whole requests: 2 GB over a slow line take hours. */
export const usualPatience: Patience = {
  idleMs: 60_000,
  firstByteMs: 5000,
  headersMs: 15_000,
  bodyMs: 30_000,
  unreadMs: 15_000,
  silentMs: 3000,
}
/** Node's default is 30 s. */
const CHECK_HEADERS_EVERY_MS = 5000
const CLOSE_IDLE_EVERY_MS = 20

/** The address and port of the listener. */
export interface Bound {
  host: string
  port: number
  /** More addresses on the same port. */
  also: readonly string[]
}

/** Returns the URL for local use: loopback, unless a single address was chosen. */
export function localUrl({ host, port }: Pick<Bound, 'host' | 'port'>): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Listening failed; the message says why and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'

  constructor(
    message: string,
    /** The program that holds the port: `nginx (process 123)`; undefined: another reason. */
    readonly holder?: string,
  ) {
    super(message)
  }
}

interface Needs {
  connections: Connections
  patience: Patience
}

/** The HTTP server, which can move to another address while transfers continue. */
export class Listener {
  #servers: Server[] = []
  #leaving = new Set<Server>()
  #doors = new Map<Server, SecureDoor>()
  #offer: Offer | undefined
  #bound: Bound = { host: '', port: 0, also: [] }

  constructor(
    private readonly handler: RequestListener,
    private readonly needs: Needs,
  ) {}

  get bound(): Bound {
    return this.#bound
  }

  /** Accepts TLS on the same port with this certificate; undefined: plain HTTP only. Applies to new connections. */
  secure(offer: Offer | undefined): void {
    this.#offer = offer
    this.#doors.forEach((door) => door.offer(offer))
  }

  /** Moves to this address; requests on the previous one finish. Throws ListenError. */
  async listen(next: Bound): Promise<Bound> {
    const before = this.#bound
    this.#leave()
    try {
      return await this.#openAll(next)
    } catch (error) {
      this.#leave()
      if (before.port !== 0) await this.#openAll(before)
      throw error
    }
  }

  /** Stops accepting, gives running requests `drainMs` to finish, then cuts the rest. */
  async close(drainMs: number): Promise<void> {
    this.#leave()
    const closed = Promise.all([...this.#leaving].map((server) => once(server, 'close')))
    const closeIdle = () => this.#leaving.forEach((server) => server.closeIdleConnections())
    const cut = setTimeout(() => this.#leaving.forEach((server) => server.closeAllConnections()), drainMs)
    // Close connections whose last response ends later, or they would wait for another request.
    const closing = setInterval(closeIdle, CLOSE_IDLE_EVERY_MS)
    closeIdle()
    await closed
    clearInterval(closing)
    clearTimeout(cut)
  }

  async #openAll({ host, port, also }: Bound): Promise<Bound> {
    const { port: given } = (await this.#open(host, port)).address() as AddressInfo
    for (const address of also) await this.#open(address, given)
    this.#bound = { host, port: given, also }
    return this.#bound
  }

  async #open(host: string, port: number): Promise<Server> {
    const { idleMs, headersMs } = this.needs.patience
    const looking = { connectionsCheckingInterval: Math.min(headersMs, CHECK_HEADERS_EVERY_MS) }
    const handle: RequestListener = (request, response) => {
      if (this.needs.connections.begin(request, response)) this.handler(request, response)
    }
    const server = createServer({ requestTimeout: 0, headersTimeout: headersMs, ...looking }, handle)
    server.timeout = idleMs
    // Without a listener Node would ask for the body before the access check.
    server.on('checkContinue', handle)
    this.#guard(server)
    server.listen(port, host)
    try {
      await once(server, 'listening')
    } catch (cause) {
      throw await listenError(cause, host, port)
    }
    this.#servers.push(server)
    // Accepting failed, for example without free descriptors. Other connections continue.
    server.on('error', () => this.needs.connections.missed())
    return server
  }

  /** Runs the door before Node's own connection handler. */
  #guard(server: Server): void {
    const { connections, patience } = this.needs
    const [accept] = server.listeners('connection') as ((socket: Socket) => void)[]
    server.removeAllListeners('connection')
    const enter = (socket: Socket, raw: Socket) => {
      if (socket !== raw) connections.secured(raw, socket)
      accept?.call(server, socket)
    }
    const door = new SecureDoor(enter, patience)
    door.offer(this.#offer)
    this.#doors.set(server, door)
    server.on('connection', (socket) => connections.admit(socket) && door.take(socket))
  }

  /** Stops listening immediately; open connections continue. */
  #leave(): void {
    for (const server of this.#servers.splice(0)) {
      this.#leaving.add(server)
      this.#doors.get(server)?.close()
      server.once('close', () => this.#leaving.delete(server))
      server.close()
    }
    this.#doors.clear()
  }
}

async function listenError(cause: unknown, host: string, port: number): Promise<ListenError> {
  const { code } = cause as { code?: string }
  if (code === 'EADDRINUSE') {
    const holder = holderText(await portHolder(port))
    return new ListenError(`Port ${port} on ${host} is in use by ${holder}: choose another with --port`, holder)
  }
  return new ListenError(reason(code, host, port) ?? `Listening on ${host} port ${port} failed: ${String(cause)}`)
}

function reason(code: string | undefined, host: string, port: number): string | undefined {
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This computer has no address ${host}: choose one with --host`
  if (code === 'EACCES') return `Port ${port} needs administrator rights: choose one above 1023 with --port`
  return undefined
}
