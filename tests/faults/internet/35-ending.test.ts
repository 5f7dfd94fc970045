import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { noLab } from '../../support/internet/home'
import { MovedClock } from '../../support/system/moved-clock'
import { slipwayUnder } from '../../support/world/process'
import { Lab } from './support/lab'

const often = { interval: 50 }
/** The lease that the host asks for. */
const LEASE_S = 900

describe.skipIf(noLab)(
  `a host that ends${noLab === undefined ? '' : ` (not run: ${noLab})`}`,
  () => {
    const lab = new Lab()
    const { visit, waysIn } = lab
    beforeEach(() => lab.newFolder())

    /** Wakes the router, which looks at its leases only now and then, by NAT-PMP and UPnP. */
    const wakeRouter = () =>
      lab.home.namespaces.sh(
        'phone',
        `bash -c 'printf "\\0\\0" > /dev/udp/192.168.77.1/5351'; curl -s http://192.168.77.1:5000/rootDesc.xml || true`,
      )

    test('closes the port when it quits', async () => {
      await lab.home.router.start()
      const host = await lab.started('--host', '0.0.0.0')
      // Its first certificate, so nobody has visited it yet.
      expect(await host.open()).toMatchObject({ state: 'open', proof: { by: 'authority' } })
      await expect.poll(visit, often).toBe(true)

      await host.program.stop()
      expect(waysIn()).toEqual([])
      expect(await visit()).toBe(false)
    })

    test.each([
      ['PCP', { upnp: false }],
      ['UPnP', { natPmp: false }],
    ])(
      'after kill -9 and the end of the lease, the router lets no visitor in: %s',
      async (_title, offers) => {
        const clock = await MovedClock.open()
        await lab.home.router.start({ ...offers, under: clock.under() })
        const host = await lab.started()
        expect(await host.open()).toMatchObject({ state: 'open' })
        await host.program.kill()

        const { code, output } = await slipwayUnder(
          [...lab.home.host.enter],
          'reach',
          '--data',
          join(lab.dir, 'data'),
        )
        expect({ code, output }).toEqual({
          code: 2,
          output: expect.stringMatching(
            /Slipway is not running on .*: its process \d+ has ended/,
          ) as string,
        })
        // With the date before midnight.
        expect(output).toMatch(
          /The router 192\.168\.77\.1 still keeps port 443 open for this host until (\d+ \w+, )?\d\d:\d\d/,
        )
        await clock.moveTo(LEASE_S - 60)
        wakeRouter()
        expect(waysIn()).not.toEqual([])
        await clock.moveTo(LEASE_S + 60)
        const waysInNow = () => {
          wakeRouter()
          return waysIn()
        }
        await expect.poll(waysInNow, often).toEqual([])
        expect(await visit()).toBe(false)
      },
    )

    test.each([
      ['removes', [], []],
      ['replaces', ['--share', 'internet', '--accept-terms'], [expect.any(String)]],
    ])(
      'after kill -9 and the end of the lease, the next start %s what the router still has',
      async (_title, also, ways) => {
        await lab.home.router.start()
        const first = await lab.started('--share', 'internet', '--accept-terms')
        await expect.poll(visit, often).toBe(true)
        await first.program.kill()

        const clock = await MovedClock.open()
        await clock.moveTo(LEASE_S + 60)
        await lab.startedUnder(clock.under(true), ...also)
        await expect.poll(waysIn, often).toEqual(ways)
        await expect.poll(visit, often).toBe(ways.length > 0)
      },
    )
  },
)
