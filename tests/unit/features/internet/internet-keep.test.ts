import { beforeEach, describe, expect, test } from 'vitest'
import type { Internet } from '../../../../server/features/internet/internet'
import { refuse } from '../../../support/internet/small-authority'
import { DAY, HOUR, MINUTE, SECOND } from '../../../support/world/test-clock'
import { OUTER, ROUTER_REQUEST, settled, VISITOR, World } from './an-internet'

const MOVED = '11.77.0.11'

let world: World
let internet: Internet

beforeEach(async () => {
  world = await World.open()
  internet = (await world.opened()).internet
})

/** Advances the clock, then does what is due. */
async function pass(ms: number): Promise<void> {
  world.clock.advance(ms)
  await internet.look()
}

describe('while it is open', () => {
  test('maps the same port again after a reboot that the router announces', async () => {
    await pass(5 * MINUTE)
    world.announce()
    world.announce(0, '192.168.77.66')
    await internet.look()
    expect(world.router.asked).toHaveLength(1)
    world.router.reboot()
    world.announce()
    await expect.poll(() => world.router.ports).toEqual([443])
    expect(world.router.asked).toHaveLength(2)
    // What was proved was the mapping that the router forgot.
    await expect.poll(() => internet.view()).toMatchObject({ state: 'unproven', proof: null })
    internet.seen(VISITOR)
    expect(internet.view().state).toBe('open')
  })

  test('follows a new address of the router, with a certificate for it', async () => {
    world.router.outer = MOVED
    world.observed = MOVED
    await pass(31 * SECOND)
    expect(internet.view()).toMatchObject({
      state: 'open',
      url: `https://${MOVED}`,
      outer_address: MOVED,
    })
    expect(world.orders).toBe(2)
    expect(world.named).toEqual({ ip4: MOVED, ip6: null })
  })

  test('follows an announced address immediately', async () => {
    world.router.outer = MOVED
    world.observed = MOVED
    world.announce()
    await internet.look()
    expect(internet.view().url).toBe(`https://${MOVED}`)
  })

  test('takes the mapping back when the provider begins to share the address', async () => {
    world.router.outer = '100.64.0.10'
    await pass(31 * SECOND)
    expect(internet.view()).toMatchObject({ state: 'shared_address', url: null, proof: null })
    expect(world.router.ports).toEqual([])
  })

  test('maps for the new address of this computer, and removes the old mapping', async () => {
    world.place = { gateway: '192.168.77.1', own: '127.0.0.2' }
    world.source = '127.0.0.2'
    await internet.look()
    expect(world.router.asked.at(-1)).toMatchObject({ client: '127.0.0.2', external: 443 })
    expect(internet.view()).toMatchObject({ state: 'open', local: { address: '127.0.0.2' } })
    expect(world.router.ports).toEqual([443])
  })

  test('searches again soon when no router answered at the new address of this computer', async () => {
    world.place = { gateway: '192.168.77.1', own: '127.0.0.2' }
    world.source = '127.0.0.2'
    world.routers = []
    await internet.look()
    expect(world.router.asked).toHaveLength(1)
    world.routers = [world.router]
    await pass(11 * SECOND)
    expect(world.router.asked.at(-1)).toMatchObject({ client: '127.0.0.2', external: 443 })
    expect(internet.view()).toMatchObject({ state: 'open', local: { address: '127.0.0.2' } })
  })

  test('says until when the router keeps the port for a former address, and opens it then', async () => {
    const until = internet.view().lease_until
    world.place = { gateway: '192.168.77.1', own: '127.0.0.2' }
    world.source = '127.0.0.2'
    world.router.only = '127.0.0.2'
    await internet.look()
    const former = { holder: '127.0.0.1', holder_is_former: true, holder_until: until }
    expect(internet.view()).toMatchObject({ state: 'port_taken', router: former })
    await pass(14 * MINUTE)
    expect(internet.view().state).toBe('port_taken')
    await pass(61 * SECOND)
    expect(internet.view()).toMatchObject({
      state: 'open',
      local: { address: '127.0.0.2' },
      lease_until: expect.any(String),
    })
  })

  test('names the device that took the port, and takes it back when it is free', async () => {
    world.router.reboot()
    world.router.give(443, '192.168.77.30')
    world.announce(0)
    await pass(31 * MINUTE)
    expect(internet.view()).toMatchObject({
      state: 'port_taken',
      router: { holder: '192.168.77.30' },
      proof: null,
    })
    await pass(11 * SECOND)
    expect(internet.view().state).toBe('port_taken')
    expect(internet.origin()).toBeNull()
    world.router.reboot()
    await pass(11 * MINUTE)
    expect(internet.view()).toMatchObject({ state: 'unproven', url: `https://${OUTER}` })
  })

  test('drops a proof after two questions that the router did not answer, until a visitor arrives', async () => {
    world.router.isSilent = true
    await pass(31 * SECOND)
    expect(internet.view().state).toBe('open')
    await pass(31 * SECOND)
    expect(internet.view()).toMatchObject({
      state: 'unproven',
      proof: null,
      router: { is_silent: true },
    })
    internet.seen(VISITOR)
    world.routers = []
    await pass(31 * SECOND)
    expect(internet.view()).toMatchObject({ state: 'open', router: { is_silent: true } })
  })

  test('drops a proof when a check finds a silent router, and renews the mapping once it answers', async () => {
    world.router.isSilent = true
    world.routers = []
    await internet.check(false)
    expect(internet.view()).toMatchObject({
      state: 'unproven',
      url: `https://${OUTER}`,
      router: { is_silent: true },
    })
    const asked = world.router.asked.length
    world.router.isSilent = false
    world.routers = [world.router]
    await pass(31 * SECOND)
    expect(world.router.asked).toHaveLength(asked + 1)
    expect(internet.view()).toMatchObject({
      state: 'unproven',
      proof: null,
      router: { is_silent: false },
    })
  })

  test('a proof through a mapping says nothing about the next start with a silent router', async () => {
    world.router.isSilent = true
    world.routers = []
    await internet.stop()
    const next = await world.host()
    expect(await settled(next.internet)).toMatchObject({ state: 'no_router_help', proof: null })
  })

  test('renews the certificate when it is due, and serves the old one while the authority is down', async () => {
    const { until } = internet.view().certificate!
    world.authority.answers['/order'] = (_request, response) =>
      refuse(response, 'serverInternal', 'Down for repair')
    for (let days = 0; days < 61; days++) await pass(DAY)
    const failed = world.orders
    expect(internet.view()).toMatchObject({
      state: 'open',
      certificate: { until, problem: 'Down for repair' },
    })
    await pass(SECOND)
    expect(world.orders).toBe(failed)
    delete world.authority.answers['/order']
    await pass(DAY)
    expect(internet.view().certificate).toMatchObject({ problem: null })
    expect(internet.view().certificate!.until! > until!).toBe(true)
  })

  test('asks the STUN server once a day', async () => {
    for (let hours = 0; hours < 23; hours++) await pass(HOUR)
    expect(world.stunAsked()).toBe(1)
  })

  test('a proof ends with the address that it was for', async () => {
    world = await World.open()
    world.routers = []
    internet = (await world.opened()).internet
    internet.seen(VISITOR)
    expect(internet.view()).toMatchObject({ state: 'open', url: `https://${OUTER}` })
    world.observed = undefined
    await pass(DAY)
    expect(internet.view()).toMatchObject({ state: 'no_router_help', url: null, proof: null })
  })

  test('a clock that a person sets closes nothing and orders nothing', async () => {
    world.clock.setClock(-400 * DAY)
    await pass(SECOND)
    world.clock.setClock(400 * DAY)
    await pass(SECOND)
    expect(internet.view().state).toBe('open')
    expect(world.orders).toBe(1)
    expect(world.router.ports).toEqual([443])
  })
})

describe('visits', () => {
  test('count each address once an hour, and failed sign-ins', async () => {
    for (const address of [VISITOR, VISITOR, '11.77.0.51', '2a0f:77::5', '2a0f:77::6'])
      internet.seen(address)
    internet.signInFailed()
    expect(internet.view()).toMatchObject({ visitors: 3, failed_sign_ins: 1 })
    await pass(HOUR + SECOND)
    expect(internet.view()).toMatchObject({ visitors: 0, failed_sign_ins: 0 })
  })

  test.each([
    ['a device at home', '192.168.77.40'],
    ['this house through the router', OUTER],
    ['this computer', '127.0.0.1'],
    ['a neighbor behind the same provider', '100.64.0.7'],
  ])('from %s prove nothing', async (_title, address) => {
    await internet.close()
    world.authority.answers['/challenge'] = (_request, response) =>
      refuse(response, 'connection', 'Timeout')
    await internet.open({ ...ROUTER_REQUEST, port: 4780 })
    await settled(internet)
    internet.seen(address)
    expect(internet.view().proof).toBeNull()
    internet.seen(VISITOR)
    expect(internet.view().proof).toMatchObject({ by: 'visitor' })
  })
})
