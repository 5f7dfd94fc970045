import type { Socket } from 'node:net'
import { createServer, type Server } from 'node:tls'

/** First byte of every TLS connection: a handshake record (RFC 8446 §5.1). No HTTP request starts with it. */
const HANDSHAKE = 0x16

/** A certificate and its private key, as PEM. */
export interface Offer {
  certificate: string
  key: string
}

interface DoorPatience {
  /** Timeout of the first byte, in ms; over TLS again after the handshake. */
  firstByteMs: number
  /** Timeout of the handshake, in ms. */
  headersMs: number
}

/**
 * Detects TLS or plain HTTP by the first byte, so that one port serves both and HTTPS switches without listening again.
 * Both use the same HTTP server and limits. A connection gets no parser before its first byte.
 */
export class SecureDoor {
  #server: Server | undefined
  /** Not yet handed to the HTTP server. */
  readonly #waiting = new Set<Socket>()
  readonly #shaking = new Map<string, Socket>()

  /** `enter` hands a connection (the raw socket or its TLS socket) to the HTTP server. */
  constructor(
    private readonly enter: (socket: Socket, raw: Socket) => void,
    private readonly patience: DoorPatience,
  ) {}

  /** Sets the certificate for new connections; undefined: plain HTTP only. */
  offer(offer: Offer | undefined): void {
    if (!offer) {
      this.#server = undefined
      return
    }
    const keys = { cert: offer.certificate, key: offer.key, minVersion: 'TLSv1.2' as const }
    const server = createServer({ ...keys, ALPNProtocols: ['http/1.1'], handshakeTimeout: this.patience.headersMs })
    server.on('secureConnection', (socket) => this.#secured(socket))
    // A client that does not trust the certificate ends the connection: not worth a log line.
    server.on('tlsClientError', (_error, socket) => socket.destroy())
    this.#server = server
  }

  /** Takes a new connection and hands it on once its protocol is known. */
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

  close(): void {
    for (const socket of this.#waiting) socket.destroy()
  }

  #secured(socket: Socket): void {
    const raw = this.#shaking.get(peerOf(socket)) ?? socket
    this.#shaking.delete(peerOf(socket))
    this.#untilFirstByte(socket, () => this.#enter(socket, raw))
  }

  /** Calls `then` before bytes are consumed; closes a silent socket. */
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
