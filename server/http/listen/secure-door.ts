import type { Socket } from 'node:net'
import { createServer, type Server } from 'node:tls'

/** Every TLS connection begins with a record of this type, a handshake (RFC 8446 §5.1); no HTTP request does. */
const HANDSHAKE = 0x16

/** A certificate and its private key, both as PEM. */
export interface Offer {
  certificate: string
  key: string
}

interface DoorPatience {
  /** A connection must have sent its first byte by then, in ms; over TLS once more after the handshake. */
  firstByteMs: number
  /** The handshake must be complete by then, in ms. */
  headersMs: number
}

/**
 * Tells TLS from plain HTTP by the first byte of a connection, so that one port speaks both and HTTPS comes and goes
 * without listening anew. Both end up with the same HTTP server, which counts and times them all. A connection costs no
 * parser until it has sent something.
 */
export class SecureDoor {
  #server: Server | undefined
  /** Connections that are not yet the HTTP server's. */
  readonly #waiting = new Set<Socket>()
  /** Those of them that are in a handshake, by their peers. */
  readonly #shaking = new Map<string, Socket>()

  /** `enter` makes a connection the HTTP server's, where it is the raw socket or the TLS one over it. */
  constructor(
    private readonly enter: (socket: Socket, raw: Socket) => void,
    private readonly patience: DoorPatience,
  ) {}

  /** What connections are offered from now on; undefined: plain HTTP only. Those that are open go on. */
  offer(offer: Offer | undefined): void {
    if (!offer) {
      this.#server = undefined
      return
    }
    const keys = { cert: offer.certificate, key: offer.key, minVersion: 'TLSv1.2' as const }
    const server = createServer({ ...keys, ALPNProtocols: ['http/1.1'], handshakeTimeout: this.patience.headersMs })
    server.on('secureConnection', (socket) => this.#secured(socket))
    // A client that does not trust us ends the connection; that is its right and no news.
    server.on('tlsClientError', (_error, socket) => socket.destroy())
    this.#server = server
  }

  /** Takes a new connection, and hands it on once it is known what it speaks. */
  take(socket: Socket): void {
    this.#waiting.add(socket)
    socket.once('close', () => this.#waiting.delete(socket))
    this.#untilFirstByte(socket, (byte) => {
      if (byte !== HANDSHAKE || !this.#server) return this.#enter(socket, socket)
      const peer = peerOf(socket)
      this.#shaking.set(peer, socket)
      socket.once('close', () => this.#shaking.get(peer) === socket && this.#shaking.delete(peer))
      socket.on('error', () => socket.destroy())
      this.#server.emit('connection', socket)
    })
  }

  /** Ends connections that have not said anything, or nothing whole. */
  close(): void {
    for (const socket of this.#waiting) socket.destroy()
  }

  #secured(socket: Socket): void {
    const raw = this.#shaking.get(peerOf(socket)) ?? socket
    this.#shaking.delete(peerOf(socket))
    this.#untilFirstByte(socket, () => this.#enter(socket, raw))
  }

  /** Calls `then` before anything is taken from the socket; a silent one is closed. */
  #untilFirstByte(socket: Socket, then: (byte: number | undefined) => void): void {
    const end = () => socket.destroy()
    socket.setTimeout(this.patience.firstByteMs, end)
    socket.on('error', end)
    socket.once('end', end)
    socket.once('data', (bytes: Buffer) => {
      socket.pause()
      socket.unshift(bytes)
      socket.setTimeout(0)
      socket.off('timeout', end)
      socket.off('end', end)
      socket.off('error', end)
      then(bytes[0])
    })
  }

  #enter(socket: Socket, raw: Socket): void {
    this.#waiting.delete(raw)
    this.enter(socket, raw)
    process.nextTick(() => socket.resume())
  }
}

const peerOf = (socket: Socket) => `${socket.remoteAddress} ${socket.remotePort}`
