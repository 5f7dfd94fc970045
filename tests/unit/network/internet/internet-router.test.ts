import { onTestFinished, beforeEach, expect, test } from 'vitest'
import { findRouters, routerOf } from '../../../../server/network/router/find-routers'
import { SmallRouter } from '../../../support/internet/small-router'
import { MINUTE } from '../../../support/test-clock'
import { ROUTER_REQUEST, settled, World } from './an-internet'

let world: World
let router: SmallRouter

beforeEach(async () => {
  world = await World.open()
  router = await SmallRouter.start()
  onTestFinished(() => router.close())
  world.place = { gateway: router.address, own: '127.0.0.1' }
  world.findWith(
    (place, signal) => findRouters(place, signal, router.contact),
    (it) => routerOf(it, router.contact),
  )
})

async function opened() {
  const host = await world.host()
  await host.internet.open(ROUTER_REQUEST)
  return { ...host, view: await settled(host.internet) }
}

test.each([['pcp'], ['nat-pmp'], ['upnp']] as const)('opens, renews and closes by %s alone', async (protocol) => {
  router.does.protocols = new Set([protocol])
  const { internet, view } = await opened()
  expect(view).toMatchObject({ state: 'open', url: 'https://11.77.0.10', router: { protocols: [protocol] } })
  expect([...router.mappings.keys()]).toEqual([443])
  const asked = router.asked.length
  world.clock.advance(31 * MINUTE)
  await internet.look()
  expect(router.asked.length).toBeGreaterThan(asked)
  await internet.close()
  expect(router.mappings.size).toBe(0)
})

test('says that a router without these protocols does not help', async () => {
  router.does.protocols = new Set()
  const { view } = await opened()
  // The authority reaches the door nevertheless, as with a port opened by hand.
  expect(view).toMatchObject({ state: 'open', router: { protocols: [] }, lease_until: null })
})

test("says no in the router's own words", async () => {
  router.does.protocols = new Set(['upnp'])
  router.does.refuse = { upnp: 606 }
  world.blockAuthority()
  const { view } = await opened()
  expect(view).toMatchObject({ state: 'router_refuses', problem: 'The router does not allow this (606)' })
})

test('maps again after a reboot, with the same port', async () => {
  const { internet } = await opened()
  router.reboot()
  world.announce(0)
  await expect.poll(() => [...router.mappings.keys()]).toEqual([443])
  // What was proved was the mapping that the router forgot.
  await expect.poll(() => internet.view().state).toBe('unproven')
})
