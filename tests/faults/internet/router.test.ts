import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RouterProtocol, Wanted } from '../../../server/network/router/router'
import { noLab, openHome, type Home } from '../../support/internet/home'
import { RouterClient } from './support/router-client'
import { echoOn, visit } from '../../support/internet/visits'

const PROTOCOLS: readonly RouterProtocol[] = ['pcp', 'nat-pmp', 'upnp']
const isWithout = noLab === undefined ? '' : ` (not run: ${noLab})`

describe.skipIf(noLab)(`against miniupnpd${isWithout}`, () => {
  let home: Home
  let client: RouterClient
  let phone: RouterClient
  let port: number
  let wanted: Wanted

  beforeAll(async () => {
    home = await openHome()
    ;[client, phone, port] = await Promise.all([
      RouterClient.on(home.host),
      RouterClient.on(home.phone),
      echoOn(home.host),
    ])
    wanted = { client: home.host.address, port, external: 443, lifetimeS: 3600 }
    await home.router.start()
    await client.ask('listen')
    await Promise.all([client.ask('find'), phone.ask('find')])
  })
  afterAll(() => home.close())

  const fromOutside = (external = 443) => visit(home.visitor, `http://${home.router.outside}:${external}/`)
  const visitor = () => `::ffff:${home.visitor.address}`

  test('finds the router and all of its protocols', async () => {
    expect(await client.ask('place')).toEqual({ gateway: home.router.address, own: home.host.address })
    expect(await client.ask('place6')).toEqual({ gateway: home.router.address6, own: home.host.address6 })
    expect((await client.ask('find')).map(({ protocol }) => protocol)).toEqual(PROTOCOLS)
  })

  test.each(PROTOCOLS)('%s maps, renews and unmaps', async (protocol) => {
    expect(await fromOutside()).toBeUndefined()
    expect(await client.ask('outer', protocol)).toBe(home.router.outside)

    const mapping = await client.ask('map', protocol, wanted)
    expect(mapping).toMatchObject({ protocol, external: 443, permanent: false })
    expect(mapping.lifetimeS).toBeGreaterThan(3500)
    expect(await fromOutside()).toBe(visitor())

    await client.ask('map', protocol, { ...wanted, nonce: mapping.nonce })
    expect(await fromOutside()).toBe(visitor())

    await client.ask('unmap', mapping)
    expect(await fromOutside()).toBeUndefined()
    await client.ask('unmap', mapping)
  })

  test.each(PROTOCOLS)('%s takes no port of another device', async (protocol) => {
    const theirs = { ...wanted, client: home.phone.address, port: 9 }
    const mapping = await phone.ask('map', 'upnp', theirs)

    await expect(client.ask('map', protocol, wanted)).rejects.toMatchObject({ reason: 'port_taken' })
    await expect(phone.ask('map', 'upnp', theirs)).resolves.toMatchObject({ external: 443 })
    expect(home.namespaces.sh('router', 'nft list ruleset')).not.toContain(home.host.address)
    await phone.ask('unmap', mapping)
  })

  test('UPnP tells which device has the port', async () => {
    const mapping = await phone.ask('map', 'pcp', { ...wanted, client: home.phone.address, port: 9 })

    await expect(client.ask('map', 'upnp', wanted)).rejects.toMatchObject({ code: 718, holder: home.phone.address })
    await phone.ask('unmap', mapping)
  })

  test('a port that the router keeps for itself is refused', async () => {
    await expect(client.ask('map', 'upnp', { ...wanted, external: 22 })).rejects.toMatchObject({ reason: 'refused' })
  })

  test.each(PROTOCOLS)('%s opens the port again after a reboot of the router, which it announces', async (protocol) => {
    const mapping = await client.ask('map', protocol, wanted)
    const heard = (await client.ask('news')).length
    await home.router.start()
    expect(await fromOutside()).toBeUndefined()

    await expect.poll(async () => (await client.ask('news')).length, { interval: 100 }).toBeGreaterThan(heard)
    const again = await client.ask('map', protocol, { ...wanted, nonce: mapping.nonce })
    expect(again.epoch ?? 0).toBeLessThan(10)
    expect(await fromOutside()).toBe(visitor())
    await client.ask('unmap', again)
  })

  test('the router closes the port when the lease ends', async () => {
    const mapping = await client.ask('map', 'upnp', { ...wanted, lifetimeS: 2 })

    expect(mapping.lifetimeS).toBeLessThanOrEqual(2)
    await expect.poll(() => fromOutside(), { interval: 200 }).toBeUndefined()
  })

  test('hears the new address of the router', async () => {
    const old = home.router.outside
    home.router.moveTo('11.77.0.11')

    await expect
      .poll(async () => (await client.ask('news')).map(({ address }) => address), { interval: 50 })
      .toContain('11.77.0.11')
    expect(await client.ask('outer', 'nat-pmp')).toBe('11.77.0.11')
    home.router.moveTo(old)
  })

  describe('IPv6', () => {
    const wanted6 = () => ({ ...wanted, client: home.host.address6, external: port })
    const fromOutside6 = () => visit(home.visitor, `http://[${home.host.address6}]:${port}/`)

    test.each(['pcp', 'upnp'] as const)('%s opens and closes a pinhole', async (protocol) => {
      expect(await fromOutside6()).toBeUndefined()
      const mapping = await client.ask('pinhole', protocol, wanted6())
      expect(mapping).toMatchObject({ protocol, client: home.host.address6, external: port })
      expect(await fromOutside6()).toBe('2a0f:77::50')

      await client.ask('unmap', mapping)
      expect(await fromOutside6()).toBeUndefined()
    })

    test('UPnP renews a pinhole, and removes it then', async () => {
      const mapping = await client.ask('pinhole', 'upnp', wanted6())
      expect(await client.ask('pinhole', 'upnp', wanted6())).toEqual(mapping)

      await client.ask('unmap', mapping)
      expect(await fromOutside6()).toBeUndefined()
      await client.ask('unmap', mapping)
    })
  })

  describe('behind a second NAT', () => {
    beforeEach(() => home.router.noCarrierNat())
    afterAll(() => home.router.noCarrierNat())

    test.each(['100.64.0.10', '192.168.0.14'])('no protocol opens a port behind %s', async (outer) => {
      home.router.carrierNat(outer)
      await home.router.start()
      await client.ask('find')

      for (const protocol of PROTOCOLS) {
        await expect(client.ask('map', protocol, wanted)).rejects.toMatchObject({ name: 'MappingError' })
      }
    })

    test('a mapping is useless behind a second NAT with a public-looking address', async () => {
      home.router.carrierNat('5.77.0.10')
      await home.router.start()
      await client.ask('find')

      await client.ask('map', 'pcp', wanted)
      expect(await client.ask('outer', 'pcp')).toBe('5.77.0.10')
      expect(await visit(home.visitor, 'http://11.77.0.2:443/')).toBeUndefined()
    })
  })

  test('a router without help is found by none of the protocols', async () => {
    await home.router.stop()

    expect(await client.ask('find')).toEqual([])
  })
})
