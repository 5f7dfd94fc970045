import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { noLab, openHome, type Home } from '../../support/internet/home'
import { Pebble } from '../../support/internet/pebble'
import { curlOn } from '../support/curl'
import { Host } from '../support/host'
import { register } from '../support/publisher'
import { RouterClient } from './support/router-client'

describe.skipIf(noLab)(`conditions of networks${noLab === undefined ? '' : ` (not run: ${noLab})`}`, () => {
  let home: Home
  let pebble: Pebble
  let dir: string
  let data: string
  let stun: string
  let host: Host

  beforeAll(async () => {
    home = await openHome()
    dir = await mkdtemp(join(tmpdir(), 'slipway-conditions-'))
    pebble = await Pebble.open({ machine: home.server, namesLeadTo: home.router.outside })
    const { host: server, port } = await home.startStun()
    stun = `${server}:${port}`
    await writeFile(join(dir, 'root.pem'), await pebble.root())
    data = join(dir, 'data')
    await mkdir(data, { mode: 0o700 })
    const first = await Host.start(data)
    await register(first)
    await first.stop()
  })
  afterEach(async () => {
    await host.stop()
    expect(leadsIn(), 'after quitting').toBe(false)
    await home.router.stop()
    home.router.noCarrierNat()
  })
  afterAll(async () => {
    await pebble.close()
    await home.close()
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  })

  /** Whether the router leads anyone to the host. */
  const leadsIn = () => home.namespaces.sh('router', 'nft list ruleset').includes(`dnat ip to ${home.host.address}`)

  /** Opens the host, and waits until it says this. */
  async function says(words: string): Promise<void> {
    for (const name of ['public.pem', 'certificate-orders.json', 'reach.json'])
      await rm(join(data, name), { force: true })
    const under = [...home.host.enter, 'env', `NODE_EXTRA_CA_CERTS=${pebble.caFile}`]
    const also = ['--share', 'internet', '--accept-terms', '--acme-directory', pebble.directory, '--stun', stun]
    host = await Host.start(data, { under, also, limited: true })
    await expect.poll(() => host.stdout, { timeout: 30_000 }).toContain(words)
  }

  const origin = () => `https://${home.router.outside}`
  const isReached = () =>
    curlOn(home.visitor.enter)('--cacert', join(dir, 'root.pem'), '--max-time', '2', `${origin()}/api/host`).then(
      () => true,
      () => false,
    )

  test.each([
    ['UPnP', { natPmp: false }],
    ['PCP and NAT-PMP', { upnp: false }],
  ])('a router with %s only opens the port', async (_title, offers) => {
    await home.router.start(offers)
    await says(`Anyone can reach this host at ${origin()}`)
    expect(await isReached()).toBe(true)
  })

  test('a router without help is named', async () => {
    await says('The router does not open ports automatically.')
    expect(leadsIn()).toBe(false)
  })

  test('a port of another device stays with it', async () => {
    await home.router.start()
    const phone = await RouterClient.on(home.phone)
    await phone.ask('find')
    await phone.ask('map', 'upnp', { client: home.phone.address, port: 8080, external: 443, lifetimeS: 600 })
    await says(`Another device uses port 443: ${home.phone.address}.`)
    expect(leadsIn()).toBe(false)
    expect(home.namespaces.sh('router', 'nft list ruleset')).toContain(`dnat ip to ${home.phone.address}`)
  })

  test('without an IPv4 address, a pinhole lets people in over IPv6 until it stops', async () => {
    home.router.carrierNat()
    await home.router.start()
    await says(`Only people with IPv6 can reach this host at http://[${home.host.address6}]`)
    const rules = () => home.namespaces.sh('router', 'nft list ruleset')
    // nft prints what miniupnpd adds as raw bytes.
    const host6 = '2a0f0077000100000000000000000020'
    expect(rules()).toContain(host6)
    await host.stop()
    expect(rules()).not.toContain(host6)
  })

  test.each([
    // miniupnpd does not name such an address, so a second router at home looks the same.
    ['100.64.0.10', 'Another router or the provider stands between this router and the internet.'],
    ['11.78.0.10', 'The provider shares one internet address among customers.'],
  ])('an address that others share is named, and not opened: %s', async (outer, words) => {
    home.namespaces.ip('host', 'addr del 2a0f:77:1::20/64 dev eth0')
    home.router.carrierNat(outer)
    await home.router.start()
    await says(words)
    expect(leadsIn()).toBe(false)
    home.namespaces.ip('host', 'addr add 2a0f:77:1::20/64 dev eth0 nodad')
  })

  test('people come back within five seconds after the router has rebooted', async () => {
    await home.router.start()
    await says(`Anyone can reach this host at ${origin()}`)
    // Clients tolerate 2 s between the clocks (RFC 6887 §8.5).
    await pause(3000)
    await home.router.stop()
    expect(await isReached()).toBe(false)
    await home.router.start()
    const start = performance.now()
    await expect.poll(isReached, { timeout: 10_000 }).toBe(true)
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
