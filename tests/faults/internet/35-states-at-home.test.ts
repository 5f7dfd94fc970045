import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { MB } from '../../../server/contract'
import { noLab } from '../../support/internet/home'
import { MovedClock } from '../../support/system/moved-clock'
import { run, unpacked } from '../../support/system/debian'
import { publicFile } from '../../support/network/curl'
import { slipwayUnder } from '../../support/world/process'
import { rounds } from '../../support/system/rounds'
import { Lab } from './support/lab'
import type { SharedHost } from './support/shared-host'

const isWithout = noLab === undefined ? '' : ` (not run: ${noLab})`
const BYTES = rounds(200, 24) * MB
const often = { interval: 50 }

describe.skipIf(noLab)(`states at home${isWithout}`, () => {
  const lab = new Lab()
  const { visit, waysIn } = lab
  let host: SharedHost

  beforeAll(async () => {
    const remove = await lab.newFolder()
    host = await lab.start()
    return async () => {
      await host.program.kill()
      await remove()
    }
  })
  afterEach(async () => {
    await host.close()
    expect(waysIn(), 'after closing').toEqual([])
    lab.home.router.noCarrierNat()
  })

  test('one call leads a visitor to a download over HTTPS, and closing ends that', async () => {
    await lab.home.router.start()
    const bytes = Buffer.alloc(BYTES, randomBytes(MB))
    const build = join(lab.dir, 'build.bin')
    await writeFile(build, bytes)
    const id = await publicFile(host.curl, host.program.url, await host.apiKey(), build)
    expect(await host.view()).toMatchObject({ state: 'off', url: null })
    expect(await visit()).toBe(false)

    expect(await host.open()).toMatchObject({ state: 'open', url: lab.origin })
    const load = `curl -sS --cacert '${join(lab.dir, 'root.pem')}' '${lab.origin}/api/files/${id}/download' | sha256sum`
    const { stdout } = await run('env', [...lab.home.visitor.enter, 'sh', '-c', load])
    expect(stdout.split(' ')[0]).toBe(createHash('sha256').update(bytes).digest('hex'))

    expect(await host.close()).toMatchObject({ way: 'off', state: 'off', url: null })
    expect(waysIn()).toEqual([])
    expect(await visit()).toBe(false)
  })

  test.each([
    [{ natPmp: false }, ['upnp']],
    [{ upnp: false }, ['pcp', 'nat-pmp']],
  ])(
    'a router that offers %j only leads visitors in, also after it has rebooted',
    async (offers, protocols) => {
      const clock = await MovedClock.open()
      const start = () => lab.home.router.start({ ...offers, under: clock.under() })
      await start()
      // A router that starts again within 2 s looks the same by its age (RFC 6887 §8.5) and boot
      // number.
      await clock.moveTo(60)
      expect(await host.open()).toMatchObject({ state: 'open', router: { protocols } })
      await lab.home.router.stop()
      expect(await visit()).toBe(false)

      await start()
      // Without its announcement, the next poll notices the reboot, after up to 30 s.
      await expect.poll(visit, { ...often, timeout: 60_000 }).toBe(true)
    },
  )

  test('a router that no longer answers may lead visitors nowhere, and reach says so', async () => {
    await lab.home.router.start()
    await host.open()
    await lab.home.router.stop()

    const { code, output } = await slipwayUnder(
      [...lab.home.host.enter],
      'reach',
      '--data',
      join(lab.dir, 'data'),
    )
    expect({ code, output }).toMatchObject({
      code: 2,
      output: expect.stringContaining('Your router no longer answers') as string,
    })
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

  test('leads visitors to the new address of the router, with a certificate for it', async () => {
    await lab.home.router.start()
    await host.open()
    const old = lab.home.router.outside
    onTestFinished(() => lab.home.router.moveTo(old))
    lab.home.router.moveTo('11.77.0.11')

    await expect
      .poll(() => host.view(), often)
      .toMatchObject({ state: 'open', url: 'https://11.77.0.11' })
    await expect.poll(visit, often).toBe(true)
  })

  test('a port of another device stays with it, which is named', async () => {
    const { phone, router, namespaces } = lab.home
    const { natpmpc } = await unpacked('natpmpc')
    await router.start()
    const ask = ['-g', router.address, '-a', '443', '9', 'tcp', '600']
    await run('env', [...phone.enter, natpmpc.file('usr/bin/natpmpc'), ...ask], {
      env: { ...process.env, ...natpmpc.env },
    })

    const taken = {
      state: 'port_taken',
      router: { holder: phone.address, holder_is_former: false },
      other_port: 4780,
    }
    expect(await host.open()).toMatchObject(taken)
    // Where the answer of PCP was lost, NAT-PMP gives another port, which goes away soon.
    await expect.poll(waysIn, { ...often, timeout: 10_000 }).toEqual([])
    expect(namespaces.sh('router', 'nft list ruleset')).toContain(`dnat ip to ${phone.address}:9`)
  })

  test.each(['100.64.0.10', '5.77.0.10', '192.168.0.14'])(
    'opens nothing behind a second NAT: %s',
    async (outer) => {
      const ipv6 = `${lab.home.host.address6}/64 dev eth0`
      lab.home.namespaces.ip('host', `addr del ${ipv6}`)
      onTestFinished(() => lab.home.namespaces.ip('host', `addr add ${ipv6} nodad`))
      lab.home.router.carrierNat(outer)
      await lab.home.router.start()

      // miniupnpd does not tell a private address, so that only the STUN server shows the second
      // NAT.
      expect(await host.open()).toMatchObject({ state: 'shared_address', url: null })
      expect(waysIn()).toEqual([])
    },
  )

  test('a router behind another one opens a pinhole for people with IPv6, until the host is closed', async () => {
    // nft prints what miniupnpd adds as raw bytes.
    const pinhole = expect.stringContaining('2a0f0077000100000000000000000020') as string
    const rules = () => lab.home.namespaces.sh('router', 'nft list ruleset')
    lab.home.router.carrierNat()
    await lab.home.router.start()

    expect(await host.open()).toMatchObject({
      state: 'ipv6_only',
      ipv6_address: lab.home.host.address6,
    })
    expect(rules()).toEqual(pinhole)
    await host.close()
    expect(rules()).not.toEqual(pinhole)
  })
})
