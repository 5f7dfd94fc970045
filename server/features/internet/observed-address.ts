import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'

/** Types and the fixed value of STUN messages (RFC 8489 §5, §14.2, §18). */
const BINDING_REQUEST = 0x0001
const BINDING_SUCCESS = 0x0101
const COOKIE = Buffer.from('2112a442', 'hex')
const XOR_MAPPED_ADDRESS = 0x0020
const HEADER_BYTES = 20
const ID_BYTES = 12
const STUN_PORT = 3478

/** The first delay before a request is repeated, in ms. It doubles each time (RFC 8489 §6.2.1). */
const FIRST_WAIT_MS = 500
/** Time limit for the whole query, in ms. */
const PATIENCE_MS = 3000

interface Question {
  /** `host`, `host:port`, `192.0.2.1:3478` or `[2001:db8::1]:3478`. */
  server: string
  family: 4 | 6
  /** The local address to send from, so that a VPN with the default route is not used. */
  from?: string | undefined
  signal: AbortSignal
}

/**
 * Returns the address from which the internet sees this computer, or undefined without an answer.
 * The server learns nothing else.
 */
export async function observedAddress({
  server,
  family,
  from,
  signal,
}: Question): Promise<string | undefined> {
  const { host, port } = placeOf(server)
  if (signal.aborted) return undefined

  const id = randomBytes(ID_BYTES)
  const socket = createSocket(family === 4 ? 'udp4' : 'udp6')
  const timers = new Set<NodeJS.Timeout>()

  try {
    return await new Promise<string | undefined>((resolve) => {
      const send = (waitMs: number) => {
        socket.send(bindingRequest(id))
        timers.add(setTimeout(() => send(waitMs * 2), waitMs))
      }

      timers.add(setTimeout(() => resolve(undefined), PATIENCE_MS))
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
      socket.on('error', () => resolve(undefined))
      socket.on('message', (bytes) => {
        const address = mappedAddress(bytes, id)
        if (address !== undefined) resolve(address)
      })
      // A connected socket takes datagrams from this server only.
      socket.on('connect', () => send(FIRST_WAIT_MS))
      socket.bind({ port: 0, ...(from === undefined ? {} : { address: from }) }, () =>
        socket.connect(port, host),
      )
    })
  } finally {
    for (const timer of timers) clearTimeout(timer)
    socket.close()
  }
}

/** Splits a server of the settings into host and port. */
function placeOf(server: string): { host: string; port: number } {
  if (isIPv6(server)) return { host: server, port: STUN_PORT }
  const [, host = server, port] = /^\[?(.+?)\]?(?::(\d{1,5}))?$/.exec(server) ?? []
  return { host, port: port === undefined ? STUN_PORT : Number(port) }
}

/** Builds a Binding request without attributes (RFC 8489 §5). `id`: 12 random bytes. */
export function bindingRequest(id: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(BINDING_REQUEST, 0)
  return Buffer.concat([head, COOKIE, id])
}

/**
 * Returns the address in a Binding success response to the request with this ID, or undefined for
 * other messages (RFC 8489 §14.2).
 */
export function mappedAddress(message: Buffer, id: Buffer): string | undefined {
  if (message.length < HEADER_BYTES || message.readUInt16BE(0) !== BINDING_SUCCESS) return undefined

  const key = Buffer.concat([COOKIE, id])
  const end = HEADER_BYTES + message.readUInt16BE(2)
  if (!message.subarray(4, HEADER_BYTES).equals(key) || end > message.length) return undefined

  let at = HEADER_BYTES
  while (at + 4 <= end) {
    const length = message.readUInt16BE(at + 2)
    const value = message.subarray(at + 4, Math.min(at + 4 + length, end))
    if (message.readUInt16BE(at) === XOR_MAPPED_ADDRESS) return decodeAddress(value, key)

    // Attributes are padded to 4 bytes.
    at += 4 + Math.ceil(length / 4) * 4
  }

  return undefined
}

/**
 * Decodes the family (1: IPv4, 2: IPv6), port and address. The address is XORed with the cookie and
 * the transaction ID.
 */
function decodeAddress(value: Buffer, key: Buffer): string | undefined {
  const family = value[1]
  const plain = [...value.subarray(4)].map((byte, index) => byte ^ (key[index] ?? 0))
  if (family === 1 && plain.length === 4) return plain.join('.')
  if (family !== 2 || plain.length !== 16) return undefined
  const words = Buffer.from(plain).toString('hex').match(/.{4}/g) ?? []
  return new URL(`http://[${words.join(':')}]`).hostname.slice(1, -1)
}
