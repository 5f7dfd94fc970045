import type { RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import { Serial } from '../../core/serial'
import { Signal } from '../../core/signal'
import type { GateDeps } from './gate'
import { Listener } from './listener'
import { markOutside, peerOf } from './peer'
import type { Pair } from '../../libraries/certificates/certificate'
import type { Certificates } from './secure-door'
import { TunnelWire } from './tunnel-wire'

/** Both families on one socket; where the computer has no IPv6, IPv4 alone. */
const EVERYWHERE = ['::', '0.0.0.0']
const CHALLENGES = '/.well-known/acme-challenge/'
/** How long running requests may take to finish on close, in ms. */
const DRAIN_MS = 10_000

/**
 * The listener to which routers and tunnels lead. Every connection here counts as from outside,
 * regardless of its address and headers (see `peerOf`), and shares the limits of the other
 * connections.
 */
export class OutsideDoor {
  readonly #listener: Listener
  readonly #visitors = new Signal<string>()
  #port: number | undefined
  #certificates: Certificates = {}
  #answer: { token: string; content: string } | undefined
  readonly #changes = new Serial()

  constructor(makeHandler: () => RequestListener, deps: Omit<GateDeps, 'onConnection'>) {
    const makeOwn = (): RequestListener => {
      const handler = makeHandler()
      return (request, response) => {
        this.#visitors.emit(peerOf(request.socket).address)
        if (!this.#prove(request, response)) handler(request, response)
      }
    }
    this.#listener = new Listener(makeOwn, { ...deps, onConnection: markOutside })
  }

  /** The port at this computer; undefined: closed. */
  get port(): number | undefined {
    return this.#port
  }

  /**
   * Listens on all addresses: at `port`, so that a kept mapping still fits, else at any free one.
   * An open door moves; its running requests finish. Returns the port. Throws ListenError.
   */
  open(port = 0): Promise<number> {
    return this.#changes.run(async () => {
      if (this.#port !== undefined && [0, this.#port].includes(port)) return this.#port
      this.#port = await this.#listen(port).catch((cause: unknown) => {
        if (port === 0) throw cause
        return this.#listen(0)
      })
      return this.#port
    })
  }

  /**
   * Stops accepting, lets running requests finish for `drainMs`, then cuts them. A closed door
   * stays closed.
   */
  async close(drainMs = DRAIN_MS): Promise<void> {
    const { drained } = await this.#changes.run(() => {
      this.#port = undefined
      return { drained: this.#listener.close(drainMs) }
    })
    await drained
  }

  /**
   * Sets the certificate for new connections, which name no server where the address is a number;
   * undefined: plain HTTP.
   */
  offer(pair: Pair | undefined): void {
    this.#secure({ ...this.#certificates, own: pair })
  }

  /** Answers validations by TLS-ALPN-01 (RFC 8737) with this certificate; undefined: none. */
  proveByTls(pair: Pair | undefined): void {
    this.#secure({ ...this.#certificates, proof: pair })
  }

  /** Answers validations by HTTP-01 (RFC 8555 §8.3) with this content; undefined: none. */
  proveByHttp(answer: { token: string; content: string } | undefined): void {
    this.#answer = answer
  }

  /**
   * Takes a connection that a tunnel delivers, with the visitor's own address. A closed door ends
   * it.
   */
  take(stream: Duplex, address: string): void {
    this.#listener.take(new TunnelWire(stream, address))
  }

  /** Calls back with the address of each request. */
  onVisitor(listener: (address: string) => void): void {
    this.#visitors.subscribe(listener)
  }

  #secure(certificates: Certificates): void {
    this.#certificates = certificates
    this.#listener.secure(certificates)
  }

  /** Before the check of Host: the authority asks before the door has a public origin. */
  #prove(...[{ method, url }, response]: Parameters<RequestListener>): boolean {
    if (!this.#answer || method !== 'GET' || url !== CHALLENGES + this.#answer.token) return false
    const { content } = this.#answer
    response.setHeader('Content-Type', 'application/octet-stream')
    response.setHeader('Connection', 'close')
    response.end(content)
    return true
  }

  async #listen(port: number): Promise<number> {
    const [both = '', ipv4 = ''] = EVERYWHERE
    const at = (host: string) => this.#listener.listen({ host, port, also: [] })
    return (await at(both).catch(() => at(ipv4))).port
  }
}
