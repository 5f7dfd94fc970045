import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A connection on which nothing moves for this long is cut, in ms. */
const IDLE_MS = 60_000
const HEADERS_MS = 15_000
const CLOSE_IDLE_EVERY_MS = 20

/** An address and port that we listen on. */
export interface Bound {
  host: string
  port: number
}

/** The address cannot be listened on; the message says why and what to do. */
class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** The HTTP server, which can move to another address while transfers go on. */
export class Listener {
  #server: Server | undefined
  #leaving = new Set<Server>()
  #bound: Bound = { host: '', port: 0 }

  constructor(private readonly handler: RequestListener) {}

  get bound(): Bound {
    return this.#bound
  }

  /** Listens here from now on; what runs on an earlier address is finished there. Throws ListenError. */
  async listen(host: string, port: number): Promise<Bound> {
    const before = this.#bound
    this.#leave()
    try {
      return await this.#open(host, port)
    } catch (error) {
      if (before.port !== 0) await this.#open(before.host, before.port)
      throw error
    }
  }

  /** Stops accepting, gives running requests `drainMs` to finish, then cuts what is left. */
  async close(drainMs: number): Promise<void> {
    this.#leave()
    const closed = Promise.all([...this.#leaving].map((server) => once(server, 'close')))
    const closeIdle = () => this.#leaving.forEach((server) => server.closeIdleConnections())
    const cut = setTimeout(() => this.#leaving.forEach((server) => server.closeAllConnections()), drainMs)
    // A connection whose last response ends only now would otherwise wait for a further request.
    const closing = setInterval(closeIdle, CLOSE_IDLE_EVERY_MS)
    closeIdle()
    await closed
    clearInterval(closing)
    clearTimeout(cut)
  }

  async #open(host: string, port: number): Promise<Bound> {
    const server = createServer({ requestTimeout: 0, headersTimeout: HEADERS_MS }, this.handler)
    server.timeout = IDLE_MS
    // Without a listener Node would ask for the body before anybody knows whether the caller may send one.
    server.on('checkContinue', this.handler)
    server.listen(port, host)
    try {
      await once(server, 'listening')
    } catch (cause) {
      throw new ListenError(reason(cause, host, port))
    }
    this.#server = server
    this.#bound = { host, port: (server.address() as AddressInfo).port }
    return this.#bound
  }

  /** Ends listening at once; the connections that are open go on. */
  #leave(): void {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    this.#leaving.add(server)
    server.once('close', () => this.#leaving.delete(server))
    server.close()
  }
}

function reason(cause: unknown, host: string, port: number): string {
  const { code } = cause as { code?: string }
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is in use by another program: choose another with --port`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}: choose one with --host`
  if (code === 'EACCES') return `Port ${port} needs administrator rights: choose one above 1023 with --port`
  return `Listening on ${host} port ${port} failed: ${String(cause)}`
}
