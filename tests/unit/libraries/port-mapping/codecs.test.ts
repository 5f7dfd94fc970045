import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  natPmpAddress,
  natPmpMap,
  readNatPmp,
} from '../../../../server/libraries/port-mapping/port-control/nat-pmp-codec'
import {
  pcpAnnounce,
  pcpMap,
  readPcp,
} from '../../../../server/libraries/port-mapping/port-control/pcp-codec'

const port = fc.integer({ min: 1, max: 65_535 })
const lifetimeS = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const nonce = fc
  .uint8Array({ minLength: 12, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString('hex'))
const packet = (hex: string) => Buffer.from(hex.replace(/\s/g, ''), 'hex')

/** As miniupnpd 2.3.1 sent it for 192.168.77.20. */
const PCP_GRANTED = packet(`
  0281 0000 00000e10 0000002a 000000000000000000000000
  000102030405060708090a0b 06000000 12ac 01bb 00000000000000000000ffff0b4d000a`)

describe('PCP', () => {
  test('writes a request as RFC 6887 describes it', () => {
    const wanted = {
      client: '192.168.77.20',
      nonce: '000102030405060708090a0b',
      port: 4780,
      external: 443,
    }
    const bytes = pcpMap({ ...wanted, lifetimeS: 3600, preferFailure: true })

    expect(bytes.toString('hex')).toBe(
      packet(`0201 0000 00000e10 00000000000000000000ffffc0a84d14
        000102030405060708090a0b 06000000 12ac 01bb 00000000000000000000ffff00000000 02000000`).toString(
        'hex',
      ),
    )
    expect(pcpAnnounce('2a0f:77:1::20').toString('hex')).toBe(
      '0200000000000000' + '2a0f0077000100000000000000000020',
    )
  })

  test('reads the reply of a router', () => {
    expect(readPcp(PCP_GRANTED)).toEqual({
      opcode: 'map',
      result: 0,
      lifetimeS: 3600,
      epoch: 42,
      map: { nonce: '000102030405060708090a0b', port: 4780, external: 443, address: '11.77.0.10' },
    })
  })

  test('reads back what it wrote, as a router repeats it', () => {
    const client = fc.oneof(
      fc.ipV4(),
      fc.ipV6().filter((address) => !address.includes('.')),
    )
    fc.assert(
      fc.property(
        client,
        nonce,
        port,
        port,
        lifetimeS,
        (client, nonce, port, external, lifetimeS) => {
          const reply = pcpMap({ client, nonce, port, external, lifetimeS, preferFailure: false })
          reply[1] = 0x81

          expect(readPcp(reply)).toMatchObject({
            opcode: 'map',
            lifetimeS,
            map: { nonce, port, external },
          })
        },
      ),
    )
  })

  test('ignores cut, long and foreign packets', () => {
    for (let length = 0; length < PCP_GRANTED.length; length++) {
      expect(readPcp(PCP_GRANTED.subarray(0, length))?.map).toBeUndefined()
    }
    expect(readPcp(Buffer.concat([PCP_GRANTED, Buffer.alloc(1100)]))).toBeUndefined()
    expect(readPcp(natPmpAddress())).toBeUndefined()
  })
})

describe('NAT-PMP', () => {
  test('writes requests as RFC 6886 describes them', () => {
    expect(natPmpAddress().toString('hex')).toBe('0000')
    expect(natPmpMap({ port: 4780, external: 443, lifetimeS: 3600 }).toString('hex')).toBe(
      '0002000012ac01bb00000e10',
    )
    expect(natPmpMap({ port: 4780, external: 443, lifetimeS: 0 }).toString('hex')).toBe(
      '0002000012ac000000000000',
    )
  })

  test('reads the replies of a router', () => {
    expect(readNatPmp(packet('0080 0000 00000011 0b4d000a'))).toEqual({
      kind: 'address',
      address: '11.77.0.10',
      epoch: 17,
    })
    expect(readNatPmp(packet('0082 0000 00000011 12ac01bb 00000e10'))).toEqual({
      kind: 'map',
      port: 4780,
      external: 443,
      lifetimeS: 3600,
      epoch: 17,
    })
    expect(readNatPmp(packet('0082 0002 00000011 12ac0000 00000000'))).toEqual({
      kind: 'failure',
      result: 2,
      to: 'map',
      epoch: 17,
    })
  })

  test('ignores cut packets and requests', () => {
    const reply = packet('0082 0000 00000011 12ac01bb 00000e10')
    for (let length = 0; length < reply.length; length++)
      expect(readNatPmp(reply.subarray(0, length))).toBeUndefined()
    expect(readNatPmp(packet('0002 0000 12ac01bb 00000e10'))).toBeUndefined()
  })
})

test('no packet makes a reader throw', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 1200 }),
      fc.constantFrom(0, 2),
      fc.nat(255),
      (bytes, version, opcode) => {
        const reply = Buffer.from(bytes)
        if (reply.length > 1) reply.set([version, opcode])

        expect(() => [readPcp(reply), readNatPmp(reply)]).not.toThrow()
      },
    ),
  )
})
