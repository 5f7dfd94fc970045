import { beforeEach, describe, expect, test } from 'vitest'
import type { OpenRequest } from '../../../../server/features/internet/open-request'
import { MappingError } from '../../../../server/libraries/port-mapping/mapping-error'
import { OUTER, ROUTER_REQUEST, settled, VISITOR, World } from './an-internet'
import { TableRouter } from './table-router'

let world: World
beforeEach(async () => {
  world = await World.open()
})

describe('while it is off', () => {
  test('contacts no router and no STUN server', async () => {
    const { internet } = await world.host()
    for (let i = 0; i < 5; i++) {
      world.clock.advance(3_600_000)
      await internet.look()
    }
    expect([world.searches, world.router.asked.length, world.stunAsked()]).toEqual([0, 0, 0])
    expect(internet.view()).toMatchObject({ way: 'off', state: 'off', url: null })
  })

  test('a check asks the router what it can do, opens nothing, and asks the STUN server only with consent', async () => {
    const { internet, door } = await world.host()
    await internet.check(false)
    expect(internet.view()).toMatchObject({
      state: 'off',
      outer_address: OUTER,
      router: { protocols: ['pcp'] },
    })
    expect([world.searches, world.stunAsked(), world.router.asked.length, door.port]).toEqual([
      1,
      0,
      0,
      undefined,
    ])
    world.observed = '11.77.0.99'
    await internet.check(true)
    expect(internet.view()).toMatchObject({
      state: 'shared_address',
      observed_address: '11.77.0.99',
    })
  })

  test.each([
    ['forbidden', { blockers: ['in_cluster', 'no_rate_limits'] }, {}],
    ['no_host_account', { blockers: ['no_host_account', 'no_rate_limits'] }, {}],
    ['rate_limits_off', { blockers: ['no_rate_limits'] }, {}],
    ['terms_needed', {}, { terms_accepted: false }],
    ['invalid_input', {}, { way: 'tunnel' }],
  ] satisfies [string, Partial<World>, Partial<OpenRequest>][])(
    'does not open: %s',
    async (code, change, request) => {
      Object.assign(world, change)
      const { internet, door } = await world.host()
      await expect(internet.open({ ...ROUTER_REQUEST, ...request })).rejects.toMatchObject({ code })
      expect([
        world.searches,
        door.port,
        internet.view().way,
        world.settings.registration_open,
      ]).toEqual([0, undefined, 'off', true])
    },
  )
})

describe('opening', () => {
  test('notes that devices at home reach the address too, and keeps registration open if asked', async () => {
    world.ask = () => Promise.resolve('ok')
    const { internet, view } = await world.opened({ keep_registration_open: true })
    expect(view.registration_open).toBe(true)
    await expect.poll(() => internet.view().hairpin).toBe(true)
  })

  test('a second request is refused while the first one runs', async () => {
    const { internet } = await world.host()
    const first = internet.open(ROUTER_REQUEST)
    await expect(internet.open(ROUTER_REQUEST)).rejects.toMatchObject({ code: 'busy' })
    await expect(internet.check(false)).rejects.toMatchObject({ code: 'busy' })
    await first
    await expect(internet.open(ROUTER_REQUEST)).rejects.toMatchObject({ code: 'busy' })
    expect(await settled(internet)).toMatchObject({ state: 'open' })
    expect(world.router.asked).toHaveLength(1)
  })

  test('names the device that has the port, and opens the port that the host account agrees to', async () => {
    world.router.give(443, '192.168.77.30')
    const { internet, door, view } = await world.opened()
    expect(view).toMatchObject({
      state: 'port_taken',
      other_port: 4780,
      url: null,
      router: { holder: '192.168.77.30' },
    })
    expect(door.port).toBeUndefined()
    await internet.open({ ...ROUTER_REQUEST, port: 4780 })
    // The certificate came by port 80, which says nothing about port 4780.
    expect(await settled(internet)).toMatchObject({
      state: 'unproven',
      url: `https://${OUTER}:4780`,
      proof: null,
    })
    expect(world.router.asked.map(({ external }) => external)).toEqual([443, 80, 4780])
    expect(world.router.ports).toEqual([443, 4780])
    internet.seen(VISITOR)
    expect(internet.view()).toMatchObject({ state: 'open', proof: { by: 'visitor' } })
  })

  test.each(['search', 'request'])(
    'asks again which device has the port, if UPnP did not answer the %s',
    async (missed) => {
      const upnp = new TableRouter(world.clock, 'upnp')
      const routers = [world.router, upnp]
      world.router.namesHolder = false
      for (const router of routers) router.give(443, '192.168.77.30')
      if (missed === 'request') world.routers = routers
      world.router.before = async () => void (world.routers = routers)
      const lost = new MappingError('silent', 'The router does not answer')
      const isLost = () => missed === 'request' && upnp.asked.length === 1
      upnp.before = () => (isLost() ? Promise.reject(lost) : Promise.resolve())
      const { view } = await world.opened()
      expect(view).toMatchObject({
        state: 'port_taken',
        router: { holder: '192.168.77.30', holder_is_former: false },
      })
    },
  )

  test('does not ask by NAT-PMP for a port that the same router refused by PCP', async () => {
    const others = [
      new TableRouter(world.clock, 'nat-pmp'),
      new TableRouter(world.clock, 'upnp'),
    ] as const
    world.routers = [world.router, ...others]
    world.router.namesHolder = false
    for (const router of world.routers) router.give(443, '192.168.77.30')
    const { view } = await world.opened()
    expect(view).toMatchObject({ state: 'port_taken', router: { holder: '192.168.77.30' } })
    expect(others.map(({ asked }) => asked.length)).toEqual([0, 1])
  })

  test('keeps what a router refused when it answers no second search', async () => {
    world.router.namesHolder = false
    world.router.give(443, '192.168.77.30')
    world.router.before = async () => void (world.routers = [])
    const { view } = await world.opened()
    expect(view).toMatchObject({ state: 'port_taken', router: { holder: null } })
  })

  test('tries each protocol of the router', async () => {
    const upnp = new TableRouter(world.clock, 'upnp')
    world.router.isSilent = true
    world.routers = [world.router, upnp]
    upnp.outer = OUTER
    const { view } = await world.opened()
    expect([view.state, world.router.ports, upnp.ports]).toEqual(['open', [], [443]])
    expect(view.router?.protocols).toEqual(['pcp', 'upnp'])
  })

  test('takes the mapping back and closes the door where the provider shares a public-looking address', async () => {
    world.observed = '11.77.0.99'
    const { internet, door, view } = await world.opened()
    expect(view).toMatchObject({
      state: 'shared_address',
      observed_address: '11.77.0.99',
      url: null,
      lease_until: null,
    })
    expect([world.router.ports, door.port, internet.origin(), world.authority.asked]).toEqual([
      [],
      undefined,
      null,
      [],
    ])
  })

  test('admits visitors over IPv6 where there is no IPv4 address, also after this computer moves', async () => {
    world.observed = '11.77.0.99'
    world.place6 = { gateway: 'fe80::1%eth0', own: '2a0f:77:1::20' }
    const { internet, door, view } = await world.opened()
    const url = (address: string) => `http://[${address}]:${door.port}`
    expect(view).toMatchObject({
      state: 'ipv6_only',
      url: url('2a0f:77:1::20'),
      ipv6_address: '2a0f:77:1::20',
    })
    expect([world.router.ports, world.pinholes.ports]).toEqual([[], [door.port]])
    internet.seen('2a0f:77::50')
    expect(internet.view()).toMatchObject({ state: 'ipv6_only', proof: { by: 'visitor' } })
    world.place6 = { gateway: 'fe80::1%eth0', own: '2a0f:77:1::21' }
    world.clock.advance(31_000)
    await internet.look()
    expect(internet.view().url).toBe(url('2a0f:77:1::21'))
    await internet.close()
    expect([world.pinholes.ports, door.port]).toEqual([[], undefined])
  })

  test('keeps the port open behind a second router, where the person can open it too', async () => {
    world.router.outer = '192.168.0.14'
    world.blockAuthority()
    const { internet, view } = await world.opened()
    expect(view).toMatchObject({
      state: 'two_routers',
      outer_address: '192.168.0.14',
      external_port: 443,
    })
    expect(world.router.ports).toEqual([443])
    internet.seen(VISITOR)
    expect(internet.view()).toMatchObject({
      state: 'certificate_failed',
      url: `http://${OUTER}` + ':443',
    })
  })

  test('finds a port that the person opened by hand', async () => {
    world.routers = []
    world.blockAuthority()
    const { internet, door, view } = await world.opened()
    expect(view).toMatchObject({
      state: 'no_router_help',
      router: { protocols: [] },
      local: { port: door.port },
    })
    delete world.authority.answers['/challenge']
    await internet.open(ROUTER_REQUEST)
    expect(await settled(internet)).toMatchObject({
      state: 'open',
      url: `https://${OUTER}`,
      proof: { by: 'authority' },
    })
  })

  test('says in the words of the authority that nothing gets through', async () => {
    world.blockAuthority()
    const { view } = await world.opened()
    expect(view).toMatchObject({
      state: 'blocked',
      problem: `${OUTER}: Connection refused`,
      other_port: 4780,
    })
    expect(view.steps.find(({ step }) => step === 'certificate')?.state).toBe('failed')
  })

  test('a VPN with the default route proves nothing about the provider', async () => {
    world.source = '10.8.0.2'
    world.observed = '11.77.0.99'
    const { view } = await world.opened()
    expect(view.state).toBe('open')
  })

  test('says that there is no network, and opens once there is one', async () => {
    const { place } = world
    world.place = undefined
    world.source = undefined
    const { internet, view } = await world.opened()
    expect(view.state).toBe('offline')
    world.place = place
    world.source = '127.0.0.1'
    await internet.look()
    expect(internet.view().state).toBe('open')
  })
})
