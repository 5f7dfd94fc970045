import { beforeEach, describe, expect, test } from 'vitest'
import { noLab } from '../../support/internet/home'
import { Lab } from './support/lab'

/** Removing the mapping takes at most 2 s. */
const QUIT_MS = 3000
const often = { interval: 50 }

describe.skipIf(noLab)(`a host that ends${noLab === undefined ? '' : ` (not run: ${noLab})`}`, () => {
  const lab = new Lab()
  const { visit, waysIn } = lab
  beforeEach(() => lab.newFolder())

  test('closes the port when it quits, without waiting for a name server', async ({ annotate }) => {
    await lab.home.router.start()
    const host = await lab.started('--host', '0.0.0.0')
    await host.open()
    expect(await visit()).toBe(true)
    // The lab has no name server, so nothing finds the name of this computer.
    const asked = host.testAddresses()
    await expect.poll(() => lab.home.namespaces.sh('host', 'pgrep -f "[g]etent ahosts" || true')).not.toBe('')

    const before = performance.now()
    await host.program.stop()
    const ms = Math.round(performance.now() - before)
    await annotate(`quit in ${ms} ms`)
    expect(ms).toBeLessThan(QUIT_MS)
    await asked
    expect(waysIn()).toEqual([])
    expect(await visit()).toBe(false)
  })

  test('leaves no open port when its lease ends after kill -9', async () => {
    await lab.home.router.start({ upnp: false, config: ['min_lifetime=2', 'max_lifetime=8'] })
    const host = await lab.started()
    expect(await host.open()).toMatchObject({ state: 'open' })
    await host.program.kill()

    expect(waysIn()).not.toEqual([])
    await expect.poll(waysIn, { interval: 200 }).toEqual([])
  })

  test('opens again at the next start after kill -9, with the same port', async () => {
    await lab.home.router.start()
    const first = await lab.started()
    await first.open()
    await first.program.kill()

    const second = await lab.started()
    await expect.poll(visit, often).toBe(true)
    expect(waysIn()).toHaveLength(1)
    expect(await second.settled()).toMatchObject({ state: 'open', url: lab.url.slice(0, -1) })
  })
})
