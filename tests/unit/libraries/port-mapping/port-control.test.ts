import { createSocket } from 'node:dgram'
import { describe, expect, onTestFinished, test } from 'vitest'
import { NatPmpRouter } from '../../../../server/libraries/port-mapping/port-control/nat-pmp'
import { PcpRouter } from '../../../../server/libraries/port-mapping/port-control/pcp'
import { SmallRouter } from '../../../support/internet/small-router'
import type { Behaviour } from '../../../support/internet/small-router-state'

const place = { gateway: '127.0.0.1', own: '127.0.0.1' }
const wanted = { client: '127.0.0.1', port: 4780, external: 443, lifetimeS: 3600 }
const another = { client: '127.0.0.9', port: 80, lifetimeS: 600, nonce: 'ff'.repeat(12) }

async function start(does: Partial<Behaviour> = {}) {
  const router = await SmallRouter.start(does)
  onTestFinished(() => router.close())
  const { contact } = router
  return { router, pcp: new PcpRouter(place, contact), natPmp: new NatPmpRouter(place, contact) }
}

test.each(['255.255.255.255', '2001:db8::1'])(
  'a router without a route to it is silent (%s)',
  async (gateway) => {
    const own = gateway.includes(':') ? '::1' : '127.0.0.1'
    expect(await new PcpRouter({ gateway, own }).answers()).toBe(false)
  },
)

describe('PCP', () => {
  test('maps, renews with its nonce and unmaps', async () => {
    const { router, pcp } = await start()
    const mapping = await pcp.map(wanted)

    expect(mapping).toMatchObject({
      protocol: 'pcp',
      external: 443,
      lifetimeS: 3600,
      permanent: false,
      epoch: 1000,
    })
    expect(router.mappings.get(443)).toMatchObject({ client: '127.0.0.1', port: 4780 })
    expect(await pcp.map({ ...wanted, nonce: mapping.nonce })).toMatchObject({
      nonce: mapping.nonce,
    })
    expect(await pcp.outerAddress()).toBe('11.77.0.10')

    await pcp.unmap(mapping)
    expect(router.mappings.size).toBe(0)
    await pcp.unmap(mapping)
  })

  test('cannot remove a mapping without its nonce', async () => {
    const { router, pcp } = await start()
    const mapping = await pcp.map(wanted)

    await expect(pcp.unmap({ ...mapping, nonce: null })).rejects.toMatchObject({
      reason: 'refused',
      code: 2,
    })
    expect(router.mappings.size).toBe(1)
  })

  test.each([true, false])(
    'takes no port of another device (router prefers failure: %s)',
    async (prefersFailure) => {
      const { router, pcp } = await start({ prefersFailure })
      router.mappings.set(443, another)

      await expect(pcp.map(wanted)).rejects.toMatchObject({ reason: 'port_taken' })
      expect([...router.mappings]).toEqual([[443, another]])
    },
  )

  test('learns the address from the mapping where the router knows no NAT-PMP', async () => {
    const { pcp } = await start({ protocols: new Set(['pcp']) })

    expect(await pcp.outerAddress()).toBeUndefined()
    await pcp.map(wanted)
    expect(await pcp.outerAddress()).toBe('11.77.0.10')
  })

  test('is not spoken by a router with NAT-PMP only', async () => {
    const { pcp, natPmp } = await start({ protocols: new Set(['nat-pmp']) })

    expect(await pcp.answers()).toBe(false)
    expect(await natPmp.answers()).toBe(true)
    await expect(pcp.map(wanted)).rejects.toMatchObject({ reason: 'unsupported', code: 1 })
  })
})

describe('NAT-PMP', () => {
  test('maps, renews and unmaps', async () => {
    const { router, natPmp } = await start()
    const mapping = await natPmp.map(wanted)

    expect(mapping).toMatchObject({
      protocol: 'nat-pmp',
      external: 443,
      lifetimeS: 3600,
      epoch: 1000,
      nonce: null,
    })
    expect(await natPmp.map(wanted)).toEqual(mapping)
    await natPmp.unmap(mapping)
    expect(router.mappings.size).toBe(0)
    await natPmp.unmap(mapping)
  })

  test('gives back a port that differs from the wanted one', async () => {
    const { router, natPmp } = await start()
    router.mappings.set(443, another)

    await expect(natPmp.map(wanted)).rejects.toMatchObject({ reason: 'port_taken' })
    expect([...router.mappings]).toEqual([[443, another]])
  })

  test('has no address without a network', async () => {
    const { natPmp } = await start({ outerAddress: '' })

    expect(await natPmp.answers()).toBe(true)
    expect(await natPmp.outerAddress()).toBeUndefined()
  })
})

test.each([
  [2, 'refused', 'The router does not allow this (2)'],
  [7, 'no_network', 'The router has no connection to the internet (7)'],
  [8, 'no_room', 'The router has no free ports or no public address (8)'],
  [12, 'refused', 'Another router translates the address of this computer (12)'],
  [99, 'refused', 'The router could not open the port (99)'],
])('names the result %i of PCP', async (code, reason, message) => {
  const { pcp } = await start({ refuse: { pcp: code } })

  await expect(pcp.map(wanted)).rejects.toMatchObject({ reason, code, message })
})

test.each([
  [2, 'refused'],
  [3, 'no_network'],
  [4, 'no_room'],
  [5, 'unsupported'],
])('names the result %i of NAT-PMP', async (code, reason) => {
  const { natPmp } = await start({ refuse: { natPmp: code } })

  await expect(natPmp.map(wanted)).rejects.toMatchObject({ reason, code })
})

describe('a hostile router', () => {
  test.each([
    ['says nothing', () => []],
    ['cuts its replies', (reply: Buffer) => [reply.subarray(0, 7)]],
    [
      'repeats the request',
      (reply: Buffer) => [Buffer.from(reply).fill(reply.readUInt8(1) & 0x7f, 1, 2)],
    ],
    ['answers with noise', () => [Buffer.alloc(1400, 0xff)]],
    [
      'answers for a foreign nonce or port',
      (reply: Buffer) => [Buffer.from(reply).fill(9, reply.length === 16 ? 8 : 24)],
    ],
  ])('a router that %s counts as silent', { concurrent: true }, async (_, tamper) => {
    const router = await SmallRouter.start({ tamper })
    const { contact } = router

    await expect(new PcpRouter(place, contact).map(wanted)).rejects.toMatchObject({
      reason: 'silent',
    })
    await expect(new NatPmpRouter(place, contact).map(wanted)).rejects.toMatchObject({
      reason: 'silent',
    })
    await router.close()
  })

  test('is heard as soon as it tells the truth', async () => {
    const { pcp } = await start({
      tamper: (reply) => [Buffer.alloc(60, 0x81), reply.subarray(0, 24), reply],
    })

    expect(await pcp.map(wanted)).toMatchObject({ external: 443 })
  })

  test('a router that grants no time opens nothing', async () => {
    const { pcp, natPmp } = await start({ grantsS: 0 })

    await expect(pcp.map(wanted)).rejects.toMatchObject({ reason: 'refused' })
    await expect(natPmp.map(wanted)).rejects.toMatchObject({ reason: 'refused' })
  })

  test('a router that grants for ever is asked again within a week', async () => {
    const { router, pcp, natPmp } = await start({ grantsS: 2 ** 32 - 1 })

    expect(await natPmp.map(wanted)).toMatchObject({ lifetimeS: 604_800 })
    router.mappings.clear()
    expect(await pcp.map(wanted)).toMatchObject({ lifetimeS: 604_800 })
  })

  test('cannot keep a question open', async () => {
    const { natPmp } = await start({ tamper: () => [] })

    expect(await natPmp.outerAddress()).toBeUndefined()
  })
})

test('ignores what other devices answer in its place', async () => {
  const other = createSocket('udp4')
  onTestFinished(() => void other.close())
  const forged = Buffer.from('0080000000000011c0a80001', 'hex')
  const { natPmp } = await start({
    tamper(reply, port) {
      other.send(forged, port, '127.0.0.1')
      return [reply]
    },
  })

  expect(await natPmp.outerAddress()).toBe('11.77.0.10')
})
