import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bindingRequest,
  mappedAddress,
  observedAddress,
} from '../../../../server/features/internet/observed-address'
import { aStunServer, bindingResponse } from '../../../support/internet/stun-server'

const id = () => fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => Buffer.from(bytes))
const word = (value: number) => Buffer.from([value >> 8, value & 255])

const isSame = (address: string | undefined, bytes: readonly number[]) => {
  const words = Array.from({ length: 8 }, (_, index) =>
    ((bytes[index * 2]! << 8) | bytes[index * 2 + 1]!).toString(16),
  )
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
        isSame(
          mappedAddress(
            bindingResponse(bytes, transaction, isLater ? software : undefined),
            transaction,
          ),
          bytes,
        ),
      ),
    )
  })

  test('rejects each response to another request', () => {
    fc.assert(
      fc.property(addresses, id(), id(), (bytes, one, other) => {
        fc.pre(!one.equals(other))
        return mappedAddress(bindingResponse(bytes, one), other) === undefined
      }),
    )
  })

  test('survives arbitrary, changed and truncated datagrams', () => {
    fc.assert(
      fc.property(
        addresses,
        id(),
        fc.nat(60),
        fc.nat(255),
        fc.nat(60),
        (bytes, transaction, at, value, length) => {
          const message = bindingResponse(bytes, transaction)
          message[at % message.length] = value
          const address = mappedAddress(message.subarray(0, length), transaction)
          return address === undefined || isIP(address) !== 0
        },
      ),
    )
    fc.assert(
      fc.property(
        fc.uint8Array(),
        id(),
        (bytes, it) => mappedAddress(Buffer.from(bytes), it) === undefined,
      ),
    )
  })

  test('a request has 20 bytes, no attributes and the ID', () => {
    const transaction = randomBytes(12)
    expect(bindingRequest(transaction).toString('hex')).toBe(
      `000100002112a442${transaction.toString('hex')}`,
    )
  })
})

describe('the observed address', () => {
  const never = new AbortController().signal

  test('asks over IPv4 and IPv6', async () => {
    const four = await aStunServer((it) => bindingResponse([203, 0, 113, 7], it))
    expect(
      await observedAddress({ server: four.server, family: 4, from: '127.0.0.1', signal: never }),
    ).toBe('203.0.113.7')
    const global = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]
    const six = await aStunServer((it) => bindingResponse(global, it), '::1')
    expect(await observedAddress({ server: six.server, family: 6, signal: never })).toBe(
      '2001:db8::7',
    )
  })

  test('asks again when a datagram is lost, and ignores answers with another ID', async () => {
    const { server, asked } = await aStunServer((it, n) =>
      n === 1
        ? bindingResponse([198, 51, 100, 4], randomBytes(12))
        : bindingResponse([203, 0, 113, 7], it),
    )
    expect(await observedAddress({ server, family: 4, signal: never })).toBe('203.0.113.7')
    expect(asked()).toBe(2)
  })

  test('gives up on a server that is silent three times, and asks nothing when cancelled', async () => {
    const { server, asked } = await aStunServer(() => undefined)
    expect(await observedAddress({ server, family: 4, signal: never })).toBeUndefined()
    expect(
      await observedAddress({ server, family: 4, signal: AbortSignal.abort() }),
    ).toBeUndefined()
    expect(asked()).toBe(3)
  })

  test('treats a closed port, an unknown name and a foreign own address as no answer', async () => {
    const ask = (server: string, from?: string) =>
      observedAddress({ server, family: 4, from, signal: never })
    expect(await ask('127.0.0.1:9')).toBeUndefined()
    expect(await ask('stun.invalid:3478')).toBeUndefined()
    expect(await ask('127.0.0.1', '203.0.113.7')).toBeUndefined()
  })
})
