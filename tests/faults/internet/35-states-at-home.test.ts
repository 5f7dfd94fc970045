import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { MB } from '../../../server/contract'
import { noLab } from '../../support/internet/home'
import { run } from '../../support/system/debian'
import { publicFile } from '../support/curl'
import { slipwayUnder } from '../support/host'
import { rounds } from '../support/rounds'
import { Lab } from './support/lab'
import { RouterClient } from './support/router-client'
import { isReached, type SharedHost } from './support/shared-host'

const isWithout = noLab === undefined ? '' : ` (not run: ${noLab})`
const BYTES = rounds(200, 50) * MB
const often = { interval: 50 }

describe.skipIf(noLab)(`states at home${isWithout}`, () => {
  const lab = new Lab()
  const { visit, waysIn } = lab

  async function aFile(host: SharedHost): Promise<{ path: string; sha256: string }> {
    const bytes = Buffer.alloc(BYTES, randomBytes(MB))
    const path = join(lab.dir, 'build.bin')
    await writeFile(path, bytes)
    const id = await publicFile(host.curl, host.program.url, await host.apiKey(), path)
    return { path: `api/files/${id}/download`, sha256: createHash('sha256').update(bytes).digest('hex') }
  }

  describe('a host', () => {
    beforeEach(() => lab.newFolder())

    test('one call leads a visitor to a download over HTTPS, and closing ends that', async () => {
      await lab.home.router.start()
      const host = await lab.started()
      const { path, sha256 } = await aFile(host)
      expect(await host.view()).toMatchObject({ state: 'off', url: null })
      expect(await visit()).toBe(false)

      const view = await host.open()
      const load = `curl -sS --cacert '${join(lab.dir, 'root.pem')}' '${lab.url}${path}' | sha256sum`
      const { stdout } = await run('env', [...lab.home.visitor.enter, 'sh', '-c', load])

      expect(view).toMatchObject({ state: 'open', url: lab.url.slice(0, -1), proof: { by: 'authority' } })
      expect(stdout.split(' ')[0]).toBe(sha256)

      expect(waysIn()).not.toEqual([])
      expect(await host.close()).toMatchObject({ way: 'off', state: 'off', url: null })
      expect(waysIn()).toEqual([])
      expect(await visit()).toBe(false)
    })
  })

  describe('the router', () => {
    let host: SharedHost
    let phone: RouterClient

    beforeAll(async () => {
      phone = await RouterClient.on(lab.home.phone)
      const remove = await lab.newFolder()
      host = await lab.start()
      return async () => {
        await host.program.kill()
        await remove()
      }
    })
    afterEach(async () => {
      await host.close()
      lab.home.router.noCarrierNat()
    })

    test('a router that reboots leads visitors in again', async () => {
      for (const offers of [{ upnp: false }, { natPmp: false }]) {
        await lab.home.router.start(offers)
        expect(await host.open()).toMatchObject({ state: 'open' })
        // A router that starts again within 2 s looks the same by its age (RFC 6887 §8.5) and boot number.
        await pause(3000)
        await lab.home.router.start(offers)

        await expect.poll(visit, often).toBe(true)
        await host.close()
      }
    })

    test('a router that no longer answers may lead visitors nowhere, and reach says so', async () => {
      await lab.home.router.start()
      await host.open()
      await lab.home.router.stop()

      const { code, output } = await slipwayUnder([...lab.home.host.enter], 'reach', '--data', join(lab.dir, 'data'))
      expect([code, output]).toEqual([2, expect.stringContaining('The router no longer answers')])
      await lab.home.router.start()
      await expect.poll(visit, { ...often, timeout: 40_000 }).toBe(true)
    })

    test('leads visitors to the new address of this computer', async () => {
      await lab.home.router.start({ natPmp: false, config: ['secure_mode=no'] })
      await host.open()
      const old = lab.home.host.address
      onTestFinished(() => lab.home.moveHost(old))
      lab.home.moveHost('192.168.77.21')

      await expect.poll(visit, often).toBe(true)
      expect(waysIn()).toHaveLength(1)
    })

    test('keeps the port for the former address of this computer, which is named as such', async () => {
      await lab.home.router.start({ natPmp: false })
      await host.open()
      const old = lab.home.host.address
      onTestFinished(() => lab.home.moveHost(old))
      lab.home.moveHost('192.168.77.21')

      const taken = { state: 'port_taken', router: { holder: old, holder_is_former: true } }
      await expect.poll(() => host.view(), often).toMatchObject(taken)
    })

    test('has given the port to another device, which keeps it', async () => {
      await lab.home.router.start()
      await phone.ask('find')
      const theirs = { client: lab.home.phone.address, port: 9, external: 443, lifetimeS: 600 }
      await phone.ask('map', 'upnp', theirs)

      const view = await host.open()
      expect(view).toMatchObject({
        state: 'port_taken',
        router: { holder: lab.home.phone.address, holder_is_former: false },
        other_port: 4780,
      })
      expect(waysIn()).toEqual([])
      await phone.ask('map', 'upnp', theirs)
    })

    describe('is behind a second NAT', () => {
      const ipv6 = () => `${lab.home.host.address6}/64 dev eth0`

      test.each([
        ['100.64.0.10', 'shared_address'],
        ['5.77.0.10', 'shared_address'],
        // miniupnpd does not tell a private address, so that only the STUN server shows the second NAT.
        ['192.168.0.14', 'shared_address'],
      ])('a router with the outer address %s: %s, and opens nothing', async (outer, state) => {
        lab.home.namespaces.ip('host', `addr del ${ipv6()}`)
        onTestFinished(() => lab.home.namespaces.ip('host', `addr add ${ipv6()} nodad`))
        lab.home.router.carrierNat(outer)
        await lab.home.router.start()

        expect(await host.open()).toMatchObject({ state, url: null })
        expect(waysIn()).toEqual([])
      })

      test('both routers lead visitors in, once a person opened the second one', async () => {
        const outer = '192.168.0.14'
        lab.home.router.carrierNat(outer)
        await lab.home.router.stop()
        const inner = await lab.secondRouter(outer)
        const second = '11.77.0.2'

        const view = await host.open()
        expect(view).toMatchObject({ state: 'two_routers', outer_address: outer, observed_address: second })
        const [[port, to] = [0, undefined]] = await inner.mappings()
        expect([port, to]).toEqual([
          443,
          expect.objectContaining({ client: lab.home.host.address, port: view.local.port }),
        ])
        lab.home.router.openByHand(443, { address: lab.home.host.address, port: view.local.port ?? 0 })
        expect(await isReached(lab, `https://${second}/`)).toBe(false)

        lab.home.router.openSecond(443, outer)
        expect(await host.open()).toMatchObject({ state: 'open', url: `https://${second}`, proof: { by: 'authority' } })
        expect(await isReached(lab, `https://${second}/`)).toBe(true)
        await host.close()
        expect(await inner.mappings()).toEqual([])
      })

      test('a router behind another one opens a pinhole for people with IPv6', async () => {
        lab.home.router.carrierNat()
        await lab.home.router.start()

        expect(await host.open()).toMatchObject({ state: 'ipv6_only', ipv6_address: lab.home.host.address6 })
        expect(waysIn()).toEqual([])
      })
    })

    test.each([
      [{ natPmp: false }, ['upnp']],
      [{ upnp: false }, ['pcp', 'nat-pmp']],
    ])('offers %j only', async (offers, protocols) => {
      await lab.home.router.start(offers)

      expect(await host.open()).toMatchObject({ state: 'open', router: { protocols } })
      expect(await visit()).toBe(true)
    })

    test('offers nothing', async () => {
      await lab.home.router.stop()

      expect(await host.open()).toMatchObject({ state: 'no_router_help' })
      expect(await visit()).toBe(false)
    })

    test('leads the house back in, or not', async () => {
      await lab.home.router.start()
      const { local } = await host.open()
      await expect.poll(() => host.view(), often).toMatchObject({ hairpin: false })
      await host.close()
      lab.home.router.hairpin(443, { address: lab.home.host.address, port: local.port ?? 0 })

      expect(await host.open()).toMatchObject({ local: { port: local.port } })
      await expect.poll(() => host.view(), often).toMatchObject({ hairpin: true })
      lab.home.router.hairpin(443, undefined)
    })
  })
})
