import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
    await Promise.all([client.ask('find'), phone.ask('find')])
  })
  afterAll(() => home.close())

  const fromOutside = () => visit(home.visitor, `http://${home.router.outside}:443/`)
  const fromOutside6 = () => visit(home.visitor, `http://[${home.host.address6}]:${port}/`)
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

    const holder = protocol === 'upnp' ? home.phone.address : null
    await expect(client.ask('map', protocol, wanted)).rejects.toMatchObject({ reason: 'port_taken', holder })
    await expect(phone.ask('map', 'upnp', theirs)).resolves.toMatchObject({ external: 443 })
    expect(home.namespaces.sh('router', 'nft list ruleset')).not.toContain(home.host.address)
    await phone.ask('unmap', mapping)
  })

  test('a port that the router keeps for itself is refused', async () => {
    await expect(client.ask('map', 'upnp', { ...wanted, external: 22 })).rejects.toMatchObject({ reason: 'refused' })
  })

  test.each(['pcp', 'upnp'] as const)('%s opens and closes a pinhole of IPv6, and UPnP renews it', async (protocol) => {
    const wanted6 = { ...wanted, client: home.host.address6, external: port }
    expect(await fromOutside6()).toBeUndefined()
    const mapping = await client.ask('pinhole', protocol, wanted6)
    expect(mapping).toMatchObject({ protocol, client: home.host.address6, external: port })
    expect(await fromOutside6()).toBe('2a0f:77::50')
    // miniupnpd forgets the nonce of a pinhole that PCP renews.
    if (protocol === 'upnp') expect(await client.ask('pinhole', protocol, wanted6)).toEqual(mapping)

    await client.ask('unmap', mapping)
    expect(await fromOutside6()).toBeUndefined()
    await client.ask('unmap', mapping)
  })
})
