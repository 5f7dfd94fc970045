import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Internet } from '../../../../server/features/internet/internet'
import type { RouterProtocol } from '../../../../server/libraries/port-mapping/router'
import { SmallRouter } from '../../../support/internet/small-router'
import { routersAt } from '../../../support/network/small-routers'
import { MINUTE, SECOND } from '../../../support/world/test-clock'
import { World } from './an-internet'

let world: World
let router: SmallRouter
let internet: Internet

beforeEach(async () => {
  world = await World.open()
  router = await SmallRouter.start()
  onTestFinished(() => router.close())
  // It announces nothing.
  world.access = routersAt(router)
})

async function open(...protocols: RouterProtocol[]): Promise<void> {
  router.does.protocols = new Set(protocols)
  const host = await world.opened()
  internet = host.internet
  expect(host.view).toMatchObject({ state: 'open', router: { protocols } })
}

/** Advances the clocks of both, then does what is due. */
async function pass(ms: number): Promise<void> {
  world.clock.advance(ms)
  router.does.epoch += ms / SECOND
  await internet.look()
}

const CASES: [string, RouterProtocol[]][] = [
  ['PCP', ['pcp']],
  ['NAT-PMP', ['nat-pmp']],
  ['UPnP', ['upnp']],
  ['all protocols', ['pcp', 'nat-pmp', 'upnp']],
]

test.each(CASES)(
  'the next poll notices a reboot that was not announced: %s',
  async (_name, protocols) => {
    await open(...protocols)
    router.reboot()
    await pass(31 * SECOND)
    expect([...router.mappings.keys()]).toEqual([443])
  },
)

test.each(CASES)(
  'polls map nothing while the router remembers the port: %s',
  async (_name, protocols) => {
    await open(...protocols)
    const maps = () => router.asked.filter((it) => /\bmap|AddPortMapping/.test(it)).length
    const before = maps()
    for (let seconds = 0; seconds < 4 * MINUTE; seconds += 31 * SECOND) await pass(31 * SECOND)
    expect(maps()).toBe(before)
  },
)

test('a router that answers again after silence maps the port again, whatever its age', async () => {
  await open('nat-pmp')
  const { protocols } = router.does
  router.does.protocols = new Set()
  await pass(31 * SECOND)
  router.mappings.clear()
  router.does.protocols = protocols
  await pass(31 * SECOND)
  expect([...router.mappings.keys()]).toEqual([443])
})

test('a UPnP router that never shows its mappings is not asked to map at each poll', async () => {
  router.does.http = (request, response) => {
    if (!String(request.headers.soapaction).includes('GetSpecific')) return false
    response.writeHead(500, { 'Content-Type': 'text/xml' }).end('<errorCode>714</errorCode>')
    return true
  }
  await open('upnp')
  await pass(31 * SECOND)
  expect(router.asked.filter((it) => it.includes('AddPortMapping'))).toHaveLength(1)
})
