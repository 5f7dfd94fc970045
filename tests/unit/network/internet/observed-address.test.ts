import { createSocket, type Socket } from 'node:dgram'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { isIP } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { bindingRequest, mappedAddress, observedAddress } from '../../../../server/network/internet/observed-address'

const COOKIE = Buffer.from('2112a442', 'hex')
const id = () => fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Buffer.from(bytes))
const word = (value: number) => Buffer.from([value >> 8, value & 255])

/** A success response as RFC 8489 §14.2 describes it, written by another hand than the reader. */
function response(bytes: readonly number[], transaction: Buffer, before: Buffer = Buffer.alloc(0)): Buffer {
  const key = Buffer.concat([COOKIE, transaction])
  const mixed = bytes.map((byte, index) => byte ^ key[index]!)
  const value = Buffer.concat([Buffer.from([0, bytes.length === 4 ? 1 : 2]), word(4242 ^ 0x2112), Buffer.from(mixed)])
  const attribute = Buffer.concat([word(0x0020), word(value.length), value])
  const body = Buffer.concat([before, attribute])
  return Buffer.concat([word(0x0101), word(body.length), key, body])
}

const isSame = (address: string | undefined, bytes: readonly number[]) => {
  const words = Array.from({ length: 8 }, (_, index) => ((bytes[index * 2]! << 8) | bytes[index * 2 + 1]!).toString(16))
  return bytes.length === 4
    ? address === bytes.join('.')
    : address === new URL(`http://[${words.join(':')}]/`).hostname.replace(/[[\]]/g, '')
}

describe('messages', () => {
  const addresses = fc
    .constantFrom(4, 16)
    .chain((n) => fc.array(fc.integer({ min: 0, max: 255 }), { minLength: n, maxLength: n }))

  test('reads each IPv4 and IPv6 address, also after unknown attributes', () => {
    const software = Buffer.concat([word(0x8022), word(5), Buffer.from('hello\0\0\0')])
    fc.assert(
      fc.property(addresses, id(), fc.boolean(), (bytes, transaction, isLater) =>
        isSame(mappedAddress(response(bytes, transaction, isLater ? software : undefined), transaction), bytes),
      ),
    )
  })

  test('rejects each response to another request', () => {
    fc.assert(
      fc.property(addresses, id(), id(), (bytes, one, other) => {
        fc.pre(!one.equals(other))
        return mappedAddress(response(bytes, one), other) === undefined
      }),
    )
  })

  test('survives arbitrary, changed and truncated datagrams', () => {
    fc.assert(
      fc.property(addresses, id(), fc.nat(60), fc.nat(255), fc.nat(60), (bytes, transaction, at, value, length) => {
        const message = response(bytes, transaction)
        message[at % message.length] = value
        const address = mappedAddress(message.subarray(0, length), transaction)
        return address === undefined || isIP(address) !== 0
      }),
    )
    fc.assert(fc.property(fc.uint8Array(), id(), (bytes, it) => mappedAddress(Buffer.from(bytes), it) === undefined))
  })

  test('a request has 20 bytes, no attributes and the ID', () => {
    const transaction = randomBytes(12)
    expect(bindingRequest(transaction).toString('hex')).toBe(`000100002112a442${transaction.toString('hex')}`)
  })
})

describe('with a server', () => {
  const sockets: Socket[] = []
  const never = new AbortController().signal
  afterEach(() => sockets.splice(0).forEach((socket) => socket.close()))

  /** A STUN server on loopback that answers the n-th request with what `answer` returns. */
  async function aServer(answer: (request: Buffer, n: number) => Buffer | undefined, address = '127.0.0.1') {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4').bind(0, address)
    sockets.push(socket)
    await once(socket, 'listening')
    let asked = 0
    socket.on('message', (request, from) => {
      const reply = answer(request, (asked += 1))
      if (reply) socket.send(reply, from.port, from.address)
    })
    const host = address.includes(':') ? `[${address}]` : address
    return { server: `${host}:${socket.address().port}`, asked: () => asked }
  }
  const idOf = (request: Buffer) => request.subarray(8, 20)

  test('asks over IPv4 and IPv6', async () => {
    const four = await aServer((request) => response([203, 0, 113, 7], idOf(request)))
    expect(await observedAddress({ server: four.server, family: 4, from: '127.0.0.1', signal: never })).toBe(
      '203.0.113.7',
    )
    const global = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]
    const six = await aServer((request) => response(global, idOf(request)), '::1')
    expect(await observedAddress({ server: six.server, family: 6, signal: never })).toBe('2001:db8::7')
  })

  test('asks again when a datagram is lost, and ignores answers with another ID', async () => {
    const { server, asked } = await aServer((request, n) =>
      n === 1 ? response([198, 51, 100, 4], randomBytes(12)) : response([203, 0, 113, 7], idOf(request)),
    )
    expect(await observedAddress({ server, family: 4, signal: never })).toBe('203.0.113.7')
    expect(asked()).toBe(2)
  })

  test('gives up on a silent server after 3 seconds, and immediately when cancelled', async () => {
    const { server, asked } = await aServer(() => undefined)
    const started = performance.now()
    expect(await observedAddress({ server, family: 4, signal: never })).toBeUndefined()
    expect(performance.now() - started).toBeGreaterThan(2900)
    expect(asked()).toBe(3)
    expect(await observedAddress({ server, family: 4, signal: AbortSignal.abort() })).toBeUndefined()
  })

  test('treats a closed port, an unknown name and a foreign own address as no answer', async () => {
    const ask = (server: string, from?: string) => observedAddress({ server, family: 4, from, signal: never })
    expect(await ask('127.0.0.1:9')).toBeUndefined()
    expect(await ask('stun.invalid:3478')).toBeUndefined()
    expect(await ask('127.0.0.1', '203.0.113.7')).toBeUndefined()
  })
})
