import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Announcements, type News } from '../../../../server/libraries/port-mapping/announcements'
import { findRouters, createRouter } from '../../../../server/libraries/port-mapping/find-routers'
import { SmallRouter } from '../../../support/internet/small-router'
import type { Behaviour } from '../../../support/internet/small-router-state'

const place = { gateway: '127.0.0.1', own: '127.0.0.1' }
const wanted = { client: '127.0.0.1', port: 4780, external: 443, lifetimeS: 3600 }
const never = new AbortController().signal

async function start(does: Partial<Behaviour> = {}) {
  const router = await SmallRouter.start(does)
  onTestFinished(() => router.close())
  return router
}

async function protocolsOf(does: Partial<Behaviour>) {
  const router = await SmallRouter.start(does)
  const found = await findRouters(place, never, router.contact)
  await router.close()
  return found.map(({ protocol }) => protocol)
}

const offers: Behaviour['protocols'][] = [
  new Set(['pcp', 'nat-pmp', 'upnp']),
  new Set(['pcp', 'nat-pmp']),
  new Set(['nat-pmp']),
  new Set(['upnp']),
  new Set(),
]
test.each(offers.map((protocols) => [[...protocols].join(', ') || 'nothing', protocols] as const))(
  'finds a router with %s',
  { concurrent: true },
  async (_, protocols) => {
    expect(await protocolsOf({ protocols })).toEqual([...protocols])
  },
)

test('each protocol opens a port, and its mapping can be removed without a search', async () => {
  const router = await start()
  const found = await findRouters(place, never, router.contact)

  for (const it of found) {
    const mapping = await it.map(wanted)
    expect(router.mappings.size).toBe(1)
    await createRouter(structuredClone(mapping), router.contact).unmap(mapping)
    expect(router.mappings.size).toBe(0)
  }
  expect(found.map(({ name }) => name)).toEqual([null, null, 'Small Router'])
})

test('asks nothing but questions while it searches', async () => {
  const router = await start()
  await findRouters(place, never, router.contact)

  expect(new Set(router.asked)).toEqual(new Set(['pcp announce', 'nat-pmp address', 'upnp search']))
})

test('ignores descriptions on other hosts', async () => {
  const other = await start()
  const lies = other.location.replace('127.0.0.1', 'localhost')

  expect(await protocolsOf({ protocols: new Set(['upnp']), location: lies })).toEqual([])
})

test('ignores the answers of other devices', async () => {
  const router = await start({ protocols: new Set(['upnp']) })

  expect(await findRouters({ ...place, gateway: '127.0.0.3' }, never, router.contact)).toEqual([])
})

test('stops when asked', async () => {
  const router = await start({ protocols: new Set() })
  const stop = AbortSignal.timeout(100)

  await expect(findRouters(place, stop, router.contact)).rejects.toThrow()
})

describe('announcements', () => {
  async function listening() {
    const [control, upnp] = [await freePort(), await freePort()]
    const news: News[] = []
    const announcements = new Announcements({
      control: { group: '224.0.0.1', port: control },
      upnp: { group: '239.255.255.250', port: upnp },
    })
    onTestFinished(() => announcements.close())
    announcements.onNews((it) => news.push(it))
    await announcements.listen()
    await announcements.listen()
    return { control, upnp, news, router: await start() }
  }

  test('hears that a router has started, by PCP and NAT-PMP', async () => {
    const { control, news, router } = await listening()
    router.announce(Buffer.from(`02800000000000000000002a${'00'.repeat(12)}`, 'hex'), control)
    router.announce(Buffer.from('00800000000000070b4d000b', 'hex'), control)
    router.announce(Buffer.from('noise'), control)

    await expect.poll(() => news).toHaveLength(2)
    expect(news).toContainEqual({ router: '127.0.0.1', epoch: 42, address: null })
    expect(news).toContainEqual({ router: '127.0.0.1', epoch: 7, address: '11.77.0.11' })
  })

  test('hears each start of a UPnP router once', async () => {
    const { upnp, news, router } = await listening()
    const notify = (boot: number) =>
      router.announce(
        Buffer.from(
          `NOTIFY * HTTP/1.1\r\nNT: urn:schemas-upnp-org:device:InternetGatewayDevice:1\r\nNTS: ssdp:alive\r\nBOOTID.UPNP.ORG: ${boot}\r\n\r\n`,
        ),
        upnp,
      )
    for (const boot of [1, 1, 2]) notify(boot)

    await expect.poll(() => news).toHaveLength(2)
    expect(news[0]).toEqual({ router: '127.0.0.1', epoch: 0, address: null })
  })
})

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0)
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}
