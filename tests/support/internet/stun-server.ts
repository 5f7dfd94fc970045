import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

const COOKIE = Buffer.from('2112a442', 'hex')
const word = (value: number) => Buffer.from([value >> 8, value & 255])

/**
 * A Binding success response with these address bytes (RFC 8489 §14.2), written by another hand
 * than our reader. `before`: attributes in front of the address.
 */
export function bindingResponse(
  bytes: readonly number[],
  transaction: Buffer,
  before = Buffer.alloc(0),
): Buffer {
  const key = Buffer.concat([COOKIE, transaction])
  const mixed = bytes.map((byte, index) => byte ^ key[index]!)
  const value = Buffer.concat([
    Buffer.from([0, bytes.length === 4 ? 1 : 2]),
    word(4242 ^ 0x2112),
    Buffer.from(mixed),
  ])
  const attribute = Buffer.concat([word(0x0020), word(value.length), value])
  const body = Buffer.concat([before, attribute])
  return Buffer.concat([word(0x0101), word(body.length), key, body])
}

/**
 * A STUN server on loopback for one test. It answers the n-th request with what `answer` returns.
 */
export async function aStunServer(
  answer: (transaction: Buffer, n: number) => Buffer | undefined,
  address = '127.0.0.1',
): Promise<{ server: string; asked: () => number }> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4').bind(0, address)
  onTestFinished(() => void socket.close())
  await once(socket, 'listening')
  let asked = 0
  socket.on('message', (request, from) => {
    const reply = answer(request.subarray(8, 20), (asked += 1))
    if (reply) socket.send(reply, from.port, from.address)
  })
  const host = address.includes(':') ? `[${address}]` : address
  return { server: `${host}:${socket.address().port}`, asked: () => asked }
}
