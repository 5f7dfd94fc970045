import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as base } from 'playwright/test'
import { openNetwork, type Network } from '../../support/machines/network'
import type { Machine } from '../../support/internet/namespaces'
import { Host } from '../../support/world/process'
import { browserOn, runOn } from '../../support/machines/on-machine'
import { needTools } from '../../support/system/debian'

interface Fixtures {
  network: Network
  folder: string
  /**
   * The address of a host that is shared by HTTPS, as others in its network write it: without the
   * scheme.
   */
  address: string
}

const test = base.extend<Fixtures>({
  network: async ({}, use) => {
    const network = openNetwork()
    await use(network)
    network.close()
  },
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-https-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },
  address: async ({ network, folder }, use) => {
    const options = { under: [...network.host.enter], also: ['--host', '0.0.0.0', '--https'] }
    const host = await Host.start(join(folder, 'data'), options)
    await use(`${network.host.address}:${new URL(host.url).port}`)
    await host.stop()
  },
})

/** A person on a machine, whose programs keep what they trust in a home of their own. */
async function personOn(machine: Machine, home: string): Promise<Machine> {
  await mkdir(home)
  return { ...machine, enter: [...machine.enter, 'env', `HOME=${home}`] }
}

/** Trusts an authority for sites, as the page /trust describes for Chromium on Linux. */
async function trust(person: Machine, home: string, authority: string): Promise<void> {
  await needTools('certutil')
  const store = join(home, '.pki/nssdb')
  await mkdir(store, { recursive: true })
  const certutil = (...args: string[]) => runOn(person, 'certutil', ['-d', `sql:${store}`, ...args])
  await certutil('-N', '--empty-password')
  await certutil('-A', '-t', 'C,,', '-n', 'Slipway', '-i', authority)
}

test('a machine that trusts the authority opens the host without a warning', async ({
  network,
  folder,
  address,
}) => {
  test.skip(network.kind === 'one machine', 'trust is between machines')
  const authority = join(folder, 'ca.crt')
  const curl = (...args: string[]) => runOn(network.visitor, 'curl', ['-sS', ...args])
  await curl('-o', authority, `http://${address}/ca.crt`)
  expect(await curl('--cacert', authority, `https://${address}/api/host`)).toContain(
    '"success":true',
  )
  expect(await curl('-i', `http://${address}/browse`)).toContain(
    `Location: https://${address}/browse`,
  )
  await expect(curl(`https://${address}/`)).rejects.toMatchObject({ code: 60 })

  const home = join(folder, 'home')
  const person = await personOn(network.visitor, home)
  await trust(person, home, authority)
  const browser = await browserOn(person, folder)
  const page = await browser.newPage()
  const reply = await page.goto(`http://${address}/browse`)
  expect(page.url()).toBe(`https://${address}/browse`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect((await reply?.securityDetails())?.issuer).toContain('Slipway')
  expect(await page.evaluate(() => isSecureContext)).toBe(true)
  await browser.close()

  const stranger = await browserOn(
    await personOn(network.visitor, join(folder, 'elsewhere')),
    folder,
  )
  const visit = await stranger.newPage()
  // A namespace gets its IPv6 address late, and Chromium then ends what it loads
  // (ERR_NETWORK_CHANGED).
  await expect(async () => {
    await expect(visit.goto(`https://${address}/`)).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID')
  }).toPass()
  await stranger.close()
})
