import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import type { SecureContext, Server, TLSSocket, TlsOptions } from 'node:tls'
import { plainAddress } from '../../core/net/ip-address'
import type { Pair } from '../../libraries/certificates/certificate'
import type { Wire } from './peer'

/**
 * First byte of every TLS connection: a handshake record (RFC 8446 §5.1). No HTTP request starts
 * with it.
 */
const HANDSHAKE = 0x16
const HTTP = 'http/1.1'
/** Loaded where certificates are: 4 MiB. */
const tls = () => process.getBuiltinModule('node:tls')
/** Validation by a certificate authority (RFC 8737): the handshake alone, without data. */
const PROOF = 'acme-tls/1'

/** Certificates of a door. Without `own` and `proof` it serves plain HTTP only. */
export interface Certificates {
  /** Certificate for visitors. */
  own?: Pair | undefined
  /** Certificate for some names and addresses, instead of `own`. */
  other?: (Pair & { isFor: (name: string) => boolean }) | undefined
  /** Certificate for validation by an authority, which selects it by ALPN. */
  proof?: Pair | undefined
}

interface DoorPatience {
  /** Timeout of the first byte, in ms; over TLS again after the handshake. */
  firstByteMs: number
  /** Timeout of the handshake, in ms. */
  headersMs: number
}

/**
 * Detects TLS or plain HTTP by the first byte, so that one port serves both, and HTTPS switches
 * without a new listener. Both use the same HTTP server and limits. A connection gets no parser
 * before its first byte.
 */
export class SecureDoor {
  /**
   * TLS server by local address of the connection. Undefined if the door serves plain HTTP only.
   */
  #serverAt: ((address: string) => Server) | undefined
  /** Not yet handed to the HTTP server. */
  readonly #waiting = new Set<Wire>()
  /** The raw connection of each handshake: a TLS socket does not name it. */
  readonly #shaking = new AsyncLocalStorage<Wire>()

  /** `enter` hands a connection (the raw one or its TLS socket) to the HTTP server. */
  constructor(
    private readonly enter: (wire: Wire, raw: Wire) => void,
    private readonly patience: DoorPatience,
  ) {}

  /** Sets the certificates for new connections. */
  offer({ own, other, proof }: Certificates): void {
    if (!own && !proof) {
      this.#serverAt = undefined
      return
    }

    const choices = {
      ...(own && other && { SNICallback: namedBy(own, other) }),
      ALPNCallback: chosenBy(proof && tls().createSecureContext(keysOf(proof))),
    }

    const server = this.#createTlsServer(own, choices)
    // Clients send no server name for an address (RFC 6066 §3), so the local address selects the
    // certificate.
    const atOther = other && this.#createTlsServer(other, choices)
    this.#serverAt = (address) => (atOther && other.isFor(address) ? atOther : server)
  }

  #createTlsServer(
    usual: Pair | undefined,
    choices: Pick<TlsOptions, 'SNICallback' | 'ALPNCallback'>,
  ): Server {
    const handshakeTimeout = this.patience.headersMs

    const server = tls().createServer({
      ...(usual && keysOf(usual)),
      minVersion: 'TLSv1.2',
      handshakeTimeout,
      ...choices,
    })

    server.on('secureConnection', (socket) => this.#secured(socket))
    // A client that does not trust the certificate ends the connection: not worth a log line.
    server.on('tlsClientError', (_error, socket) => {
      socket.destroy()
      this.#shaking.getStore()?.destroy()
    })
    return server
  }

  /** Takes a new connection and hands it on once its protocol is known. */
  take(wire: Wire): void {
    this.#waiting.add(wire)
    wire.once('close', () => this.#waiting.delete(wire))
    this.#untilFirstByte(wire, (byte) => {
      const server = this.#serverAt?.(plainAddress(wire.localAddress ?? ''))
      if (byte !== HANDSHAKE || !server) return this.#enter(wire, wire)
      wire.on('error', () => wire.destroy())
      this.#shaking.run(wire, () => server.emit('connection', wire as Socket))
    })
  }

  close(): void {
    for (const wire of this.#waiting) wire.destroy()
  }

  #secured(socket: TLSSocket): void {
    const raw = this.#shaking.getStore() ?? socket
    socket.once('close', () => raw.destroy())
    if (socket.alpnProtocol === PROOF) socket.destroySoon()
    else this.#untilFirstByte(socket, () => this.#enter(socket, raw))
  }

  /** Calls `then` before bytes are consumed; closes a silent connection. */
  #untilFirstByte(wire: Wire, then: (byte: number | undefined) => void): void {
    const end = () => wire.destroy()
    let hasBegun = false
    // Bytes that came while this host was busy are read before an immediate runs.

    const late = () => setImmediate(() => hasBegun || end())
    wire.setTimeout(this.patience.firstByteMs, late)
    wire.on('error', end)
    wire.once('end', end)

    wire.once('data', (bytes: Buffer) => {
      hasBegun = true
      wire.pause()
      wire.unshift(bytes)
      wire.setTimeout(0)
      // A chunk of a tunnel has several TLS records: the next ones arrive before this returns, and
      // belong after `bytes`.
      process.nextTick(() => {
        wire.off('timeout', late)
        wire.off('end', end)
        wire.off('error', end)
        if (!wire.destroyed) then(bytes[0])
      })
    })
  }

  #enter(wire: Wire, raw: Wire): void {
    this.#waiting.delete(raw)
    this.enter(wire, raw)
    process.nextTick(() => wire.resume())
  }
}

const keysOf = ({ certificate, key }: Pair) => ({ cert: certificate, key })

/** Chooses the certificate by the name of the server (SNI). */
function namedBy(own: Pair, other: NonNullable<Certificates['other']>) {
  const ownContext = tls().createSecureContext(keysOf(own))
  const otherContext = tls().createSecureContext(keysOf(other))
  return (name: string, choose: (error: null, context: SecureContext) => void) =>
    choose(null, other.isFor(name) ? otherContext : ownContext)
}

/** Chooses the protocol; for a validation also the certificate, if there is one. */
function chosenBy(proof: SecureContext | undefined) {
  return function (this: TLSSocket, { protocols }: { protocols: string[] }): string | undefined {
    if (!proof || !protocols.includes(PROOF)) return protocols.find((name) => name === HTTP)
    this.setKeyCert(proof)
    return PROOF
  }
}
