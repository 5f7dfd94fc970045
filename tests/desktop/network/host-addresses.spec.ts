import { join } from 'node:path'
import { expect } from 'playwright/test'
import { loaded } from '../../support/desktop/desktop-test'
import { test } from '../../support/desktop/app/main-job-test'
import { switchSharing } from '../../support/desktop/app/menu'
import { launchOn, runOn } from '../../support/machines/on-machine'
import { addPeople } from '../../support/world/people'
import { signInAtWindow } from '../../support/desktop/app/settings'

test('links follow the machine to another address at once', async ({ network, app, window }) => {
  test.skip(network.kind === 'one machine', 'the address of this machine is not ours to change')
  const share = () =>
    window.evaluate(() =>
      fetch('/api/host').then((reply) => reply.json() as Promise<{ host: { share_url: string } }>),
    )
  await window.evaluate(() => {
    const { desktop } = globalThis as unknown as {
      desktop: { onHostChanged(listener: () => void): void }
    }
    const heard = { times: 0 }
    Object.assign(globalThis, { heard })
    desktop.onHostChanged(() => heard.times++)
  })
  const times = () =>
    window.evaluate(() => (globalThis as unknown as { heard: { times: number } }).heard.times)
  expect(await switchSharing(app)).toBe(true)
  expect((await share()).host.share_url).toMatch(new RegExp(`^http://${network.host.address}:`))
  const before = await times()

  const change = (verb: string, address: string) =>
    runOn(network.host, 'ip', ['addr', verb, `${address}/24`, 'dev', 'eth0'])
  await change('del', network.host.address)
  await change('add', '10.77.0.99')
  await expect.poll(times).toBeGreaterThan(before)
  // Chromium ends requests that are under way when the network changes, and a poll that throws is
  // not repeated.
  const shareUrl = () =>
    share().then(
      ({ host }) => host.share_url,
      () => '',
    )
  await expect.poll(shareUrl).toMatch(/^http:\/\/10\.77\.0\.99:/)
  const { port } = new URL(window.url())
  expect(
    await runOn(network.visitor, 'curl', ['-s', `http://10.77.0.99:${port}/api/host`]),
  ).toContain('"success":true')
})

test('a host that starts in no network says so, and is found by itself once there is one', async ({
  network,
  folder,
}) => {
  test.skip(network.kind === 'one machine', 'the network of this machine is not ours to end')
  const cable = (state: 'up' | 'down') => runOn(network.host, 'ip', ['link', 'set', 'eth0', state])
  await cable('down')
  await addPeople(join(folder, 'data'), ['alice'])
  const app = await launchOn(network.host, folder)
  const page = await loaded(app)
  await signInAtWindow(page)
  expect(await switchSharing(app)).toBe(true)
  await page.goto(new URL('/host', page.url()).href)
  const state = page.getByRole('region', { name: 'State' })
  const addresses = page.getByRole('region', { name: 'Addresses' })
  await expect(state).toContainText('This computer only · No network')
  await expect(addresses).toContainText('Other devices cannot reach this host now')

  await cable('up')
  await expect(state).toContainText('Online · No transfers right now')
  await expect(addresses.getByLabel('Best address')).toContainText(
    `http://${network.host.address}:`,
  )
  await expect(addresses.getByText('This computer answers').first()).toBeVisible()
  await cable('down')
  await expect(state).toContainText('This computer only · No network')
  await app.close()
})
