import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isSameSecret } from '../../access/same-secret'
import { WINDOW_HEADER } from '../../contract/host/desktop'
import { isLoopback, plainAddress } from '../../core/net/ip-address'

/** A connection with a client: a socket, a TLS socket, or a connection that a tunnel delivers. */
export type Wire = Duplex & {
  readonly remoteAddress?: string | undefined
  readonly localAddress?: string | undefined
  setTimeout(ms: number, listener?: () => void): unknown
}

/** The other end of a connection. */
export interface Peer {
  /** Its IP address; for tunnels, as the tunnel reports. */
  address: string
  /**
   * Whether the connection entered through the outside door. Such a peer is never this computer.
   */
  isOutside: boolean
}

const outside = new WeakMap<Duplex, string>()
const carriers = new WeakMap<Duplex, Wire>()

/** Marks a connection as one from outside, for its whole life. */
export function markOutside(wire: Wire): void {
  outside.set(wire, addressOf(wire))
}

/** Passes the mark of a raw connection on to its TLS socket. */
export function inheritPeer(secured: Wire, raw: Wire): void {
  carriers.set(secured, raw)
  const address = outside.get(raw)
  if (address !== undefined) outside.set(secured, address)
}

/**
 * Resets a connection and discards the bytes that the system still buffers. A tunnel cannot: it
 * delivers what it has accepted.
 */
export function resetWire(wire: Wire): void {
  const raw = carriers.get(wire) ?? wire
  if (raw instanceof Socket) raw.resetAndDestroy()
  wire.destroy()
}

/** The peer of a connection, from the connection alone: headers never count. */
export function peerOf(wire: Wire): Peer {
  const address = outside.get(wire)
  return { address: address ?? addressOf(wire), isOutside: address !== undefined }
}

/**
 * Whether a request comes from this machine, not through the outside door, with the secret of the
 * app window.
 */
export function isFromWindow(request: IncomingMessage, windowSecret: string | null): boolean {
  const { headers, socket } = request
  const secret = headers[WINDOW_HEADER]
  const { address, isOutside } = peerOf(socket)
  const isHere = !isOutside && isLoopback(address)

  return (
    windowSecret !== null &&
    typeof secret === 'string' &&
    isHere &&
    isSameSecret(secret, windowSecret)
  )
}

const addressOf = ({ remoteAddress = '' }: Wire) => plainAddress(remoteAddress)
