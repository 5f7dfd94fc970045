/** The packets of the NAT Port Mapping Protocol (RFC 6886 §3). */
const VERSION = 0
const ADDRESS = 0
const MAP_TCP = 2
const REPLY_BIT = 0x80
const ERROR_BYTES = 8
const ADDRESS_BYTES = 12
const MAP_BYTES = 16

export type NatPmpReply = { epoch: number } & (
  | { kind: 'address'; address: string }
  | { kind: 'map'; port: number; external: number; lifetimeS: number }
  | { kind: 'failure'; result: number; to: 'address' | 'map' | 'other' }
)

export const natPmpAddress = (): Buffer => Buffer.from([VERSION, ADDRESS])

/** A lifetime of 0 removes the mapping. */
export function natPmpMap(request: { port: number; external: number; lifetimeS: number }): Buffer {
  const bytes = Buffer.alloc(12)
  bytes[1] = MAP_TCP
  bytes.writeUInt16BE(request.port, 4)
  // Required of removals.
  bytes.writeUInt16BE(request.lifetimeS === 0 ? 0 : request.external, 6)
  bytes.writeUInt32BE(request.lifetimeS, 8)
  return bytes
}

/** Reads a reply or an announcement. Returns undefined if it is not NAT-PMP. */
export function readNatPmp(bytes: Buffer): NatPmpReply | undefined {
  if (bytes.length < ERROR_BYTES || bytes[0] !== VERSION) return undefined

  const code = bytes.readUInt8(1)
  const result = bytes.readUInt16BE(2)
  const epoch = bytes.readUInt32BE(4)

  if ((code & REPLY_BIT) === 0) return undefined
  if (result !== 0) return { kind: 'failure', result, to: requestOf(code), epoch }
  if (code === (ADDRESS | REPLY_BIT) && bytes.length >= ADDRESS_BYTES) {
    return { kind: 'address', address: bytes.subarray(8, ADDRESS_BYTES).join('.'), epoch }
  }

  if (code !== (MAP_TCP | REPLY_BIT) || bytes.length < MAP_BYTES) return undefined
  const port = bytes.readUInt16BE(8)
  return {
    kind: 'map',
    port,
    external: bytes.readUInt16BE(10),
    lifetimeS: bytes.readUInt32BE(12),
    epoch,
  }
}

function requestOf(code: number): 'address' | 'map' | 'other' {
  if (code === (ADDRESS | REPLY_BIT)) return 'address'
  return code === (MAP_TCP | REPLY_BIT) ? 'map' : 'other'
}
