import type { Socket } from 'node:net'
import { createServer, type Server } from 'node:tls'

/** Every TLS connection begins with a record of this type, a handshake (RFC 8446 §5.1); no HTTP request does. */
const HANDSHAKE = 0x16

/** A certificate and its private key, both as PEM. */
export interface Offer {
  certificate: string
  key: string
}

/**
 * Tells TLS from plain HTTP by the first byte of a connection, so that one port speaks both and HTTPS comes and goes
 * without listening anew. Both end up with the same HTTP server, which counts and times them all.
 */
export class SecureDoor {
  #server: Server | undefined
  /** Connections that are not yet the HTTP server's, by their peers. */
  readonly #waiting = new Map<string, Socket>()

  /** `enter` makes a connection the HTTP server's. The first byte and the handshake must have come by `patienceMs`. */
  constructor(
    private readonly enter: (socket: Socket) => void,
    private readonly patienceMs: number,
  ) {}

  /** What connections are offered from now on; undefined: plain HTTP only. Those that are open go on. */
  offer(offer: Offer | undefined): void {
    if (!offer) {
      this.#server = undefined
      return
    }
    const keys = { cert: offer.certificate, key: offer.key, minVersion: 'TLSv1.2' as const }
    const server = createServer({ ...keys, ALPNProtocols: ['http/1.1'], handshakeTimeout: this.patienceMs })
    server.on('secureConnection', (socket) => this.#enter(socket, peerOf(socket)))
    // A client that does not trust us ends the connection; that is its right and no news.
    server.on('tlsClientError', (_error, socket) => socket.destroy())
    this.#server = server
  }

  /** Takes a new connection, and hands it on once it is known what it speaks. */
  take(socket: Socket): void {
    const server = this.#server
    if (!server) return this.enter(socket)
    const peer = peerOf(socket)
    const end = () => socket.destroy()
    this.#waiting.set(peer, socket)
    socket.setTimeout(this.patienceMs, end)
    socket.on('error', end)
    socket.once('close', () => this.#waiting.get(peer) === socket && this.#waiting.delete(peer))
    socket.once('data', (bytes: Buffer) => {
      socket.pause()
      socket.unshift(bytes)
      socket.setTimeout(0)
      socket.off('timeout', end)
      if (bytes[0] === HANDSHAKE) return server.emit('connection', socket)
      socket.off('error', end)
      this.#enter(socket, peer)
      return process.nextTick(() => socket.resume())
    })
  }

  /** Ends connections that have not said anything, or nothing whole. */
  close(): void {
    for (const socket of this.#waiting.values()) socket.destroy()
  }

  #enter(socket: Socket, peer: string): void {
    this.#waiting.delete(peer)
    this.enter(socket)
  }
}

const peerOf = (socket: Socket) => `${socket.remoteAddress} ${socket.remotePort}`
