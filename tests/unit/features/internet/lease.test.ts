import { beforeEach, expect, test } from 'vitest'
import type { Internet } from '../../../../server/features/internet/internet'
import { hasRebooted } from '../../../../server/features/internet/lease/timing'
import { DAY, MINUTE, SECOND } from '../../../support/world/test-clock'
import { gate, ROUTER_REQUEST, settled, World } from './an-internet'

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

test('a lease is renewed at its half, with the same port and nonce', async () => {
  const { asked } = world.router
  for (let seconds = 0; seconds < 7 * 60; seconds++) await pass(SECOND)
  expect(asked).toHaveLength(1)
  await pass(MINUTE)
  expect(asked).toHaveLength(2)
  expect(asked[1]).toMatchObject({ external: 443, lifetimeS: 900, nonce: 'nonce 1' })
  for (let minutes = 0; minutes < 60; minutes++) await pass(MINUTE)
  expect(world.router.ports).toEqual([443])
})

test.each([
  ['120 s', 120, 120],
  ['nothing', 0, 120],
  ['no number', NaN, 120],
  ['136 years', 2 ** 32, 30 * 86_400],
])('survives a router that grants %s', async (_title, granted, counts) => {
  await internet.close()
  world.router.grants = () => granted
  await internet.open(ROUTER_REQUEST)
  const { lease_until } = await settled(internet)
  expect(Date.parse(lease_until!) - world.clock.now().getTime()).toBe(counts * SECOND)
  const asked = world.router.asked.length
  await pass(8 * MINUTE)
  expect(world.router.asked.length).toBe(asked + 1)
})

test('a lease that never ends is renewed too, because the router may reboot', async () => {
  await internet.close()
  world.router.isPermanent = true
  await internet.open(ROUTER_REQUEST)
  expect(await settled(internet)).toMatchObject({ lease_until: null, permanent: true })
  world.router.reboot()
  await pass(8 * MINUTE)
  expect(world.router.ports).toEqual([443])
})

test('a lease ends while the router is silent', async () => {
  world.router.isSilent = true
  for (let minutes = 0; minutes < 14; minutes++) await pass(MINUTE)
  expect(internet.view().lease_until).not.toBeNull()
  await pass(MINUTE)
  expect(internet.view().lease_until).toBeNull()
})

test('a lease is renewed after sleep, whichever clock stopped', async () => {
  world.clock.setClock(31 * MINUTE)
  await internet.look()
  expect(world.router.asked).toHaveLength(2)
  world.clock.setClock(-5 * 365 * DAY)
  await internet.look()
  expect(world.router.asked).toHaveLength(2)
  await pass(8 * MINUTE)
  expect(world.router.asked).toHaveLength(3)
})

test('a lease is renewed once after a flood of announcements during a renewal', async () => {
  world.clock.advance(10 * MINUTE)
  const slow = gate()
  world.router.before = () => slow.passed
  const looking = internet.look()
  await expect.poll(() => world.router.asked.length).toBe(2)
  for (let announced = 0; announced < 500; announced++) world.announce(0)
  slow.open()
  await looking
  await internet.look()
  expect(world.router.asked).toHaveLength(3)
})

test('opening at another port closes the first', async () => {
  await internet.open({ ...ROUTER_REQUEST, port: 4780 })
  await settled(internet)
  expect(world.router.ports).toEqual([4780])
})

test.each([
  ['the same pace', 1600, false],
  ['a slightly slow clock', 1570, false],
  ['back to the start', 5, true],
  ['far behind', 1400, true],
  ['far ahead', 1900, true],
])('compares epochs as RFC 6887 says: %s', (_title, epoch, isLost) => {
  const before = { epoch: 1000, elapsed: 0, wall: 0 }
  expect(hasRebooted(before, { epoch, elapsed: 600_000, wall: 0 })).toBe(isLost)
})
