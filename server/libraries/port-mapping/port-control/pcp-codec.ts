import { isIPv4 } from 'node:net'
import { bytesOfAddress } from '../../../core/net/ip-address'

/** The packets of the Port Control Protocol, version 2 (RFC 6887 §7, §11, §13.2, §14.1). */
const VERSION = 2
const ANNOUNCE = 0
const MAP = 1
const REPLY_BIT = 0x80
const TCP = 6
const HEADER_BYTES = 24
const MAP_BYTES = 60
const MAX_BYTES = 1100
/** Option without data: give exactly the wanted port, or none. */
const PREFER_FAILURE = Buffer.from([2, 0, 0, 0])
/** The prefix of IPv4-mapped IPv6 addresses (RFC 4291 §2.5.5.2), as which PCP carries IPv4. */
const MAPPED = Buffer.from('00000000000000000000ffff', 'hex')

export interface PcpReply {
  opcode: 'announce' | 'map'
  /** 0: success. */
  result: number
  lifetimeS: number
  epoch: number
  /** Undefined: not in this packet. */
  map: { nonce: string; port: number; external: number; address: string } | undefined
}

interface MapRequest {
  client: string
  /** 12 bytes in hexadecimal. */
  nonce: string
  port: number
  external: number
  /** 0 removes the mapping. */
  lifetimeS: number
  preferFailure: boolean
}

/** Asks only whether the router speaks PCP. Throws if `client` is no address. */
export function pcpAnnounce(client: string): Buffer {
  return header(ANNOUNCE, 0, client)
}

export function pcpMap({
  client,
  nonce,
  port,
  external,
  lifetimeS,
  preferFailure,
}: MapRequest): Buffer {
  const body = Buffer.alloc(MAP_BYTES - HEADER_BYTES)
  body.write(nonce, 'hex')
  body[12] = TCP
  body.writeUInt16BE(port, 16)
  body.writeUInt16BE(external, 18)
  addressBytes(isIPv4(client) ? '0.0.0.0' : '::').copy(body, 20)

  return Buffer.concat([
    header(MAP, lifetimeS, client),
    body,
    ...(preferFailure ? [PREFER_FAILURE] : []),
  ])
}

/** Reads a reply. Returns undefined if it is no PCP version 2 reply to such a request. */
export function readPcp(bytes: Buffer): PcpReply | undefined {
  if (bytes.length < HEADER_BYTES || bytes.length > MAX_BYTES || bytes.length % 4 !== 0)
    return undefined

  const code = bytes.readUInt8(1)
  if (bytes[0] !== VERSION || (code !== (ANNOUNCE | REPLY_BIT) && code !== (MAP | REPLY_BIT)))
    return undefined

  return {
    opcode: code === (MAP | REPLY_BIT) ? 'map' : 'announce',
    result: bytes.readUInt8(3),
    lifetimeS: bytes.readUInt32BE(4),
    epoch: bytes.readUInt32BE(8),
    map: code === (MAP | REPLY_BIT) ? mapIn(bytes) : undefined,
  }
}

function mapIn(bytes: Buffer): PcpReply['map'] {
  if (bytes.length < MAP_BYTES || bytes[36] !== TCP) return undefined
  return {
    nonce: bytes.toString('hex', 24, 36),
    port: bytes.readUInt16BE(40),
    external: bytes.readUInt16BE(42),
    address: addressText(bytes.subarray(44, MAP_BYTES)),
  }
}

function header(opcode: number, lifetimeS: number, client: string): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes[0] = VERSION
  bytes[1] = opcode
  bytes.writeUInt32BE(lifetimeS, 4)
  addressBytes(client).copy(bytes, 8)
  return bytes
}

function addressBytes(address: string): Buffer {
  const bytes = bytesOfAddress(address)
  if (!bytes) throw new Error(`${address} is no IP address`)
  return bytes.length === 4 ? Buffer.concat([MAPPED, bytes]) : bytes
}

function addressText(bytes: Buffer): string {
  if (bytes.subarray(0, MAPPED.length).equals(MAPPED))
    return bytes.subarray(MAPPED.length).join('.')
  const words = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16))
  return new URL(`http://[${words.join(':')}]`).hostname.slice(1, -1)
}
