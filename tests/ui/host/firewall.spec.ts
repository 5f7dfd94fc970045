import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as base } from 'playwright/test'
import { openNetwork, type Network } from '../../support/machines/network'
import { Host, manageToken } from '../../support/world/process'
import { browserOn, runOn } from '../../support/machines/on-machine'
import { addPeople } from '../../support/world/people'
import { PASSWORD } from '../../support/world/password'
import { needTools } from '../../support/system/debian'
import { objectionsAtEverySize } from '../support/axe'

/** What Debian suggests in /etc/nftables.conf, with the policy to drop. */
const RULES = `table inet filter { chain input { type filter hook input priority filter; policy drop;
  iif lo accept; ct state established,related accept; icmpv6 type nd-neighbor-solicit accept; }; }`

const test = base.extend<{ network: Network; folder: string }>({
  network: async ({}, use) => {
    const network = openNetwork()
    await use(network)
    network.close()
  },
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-firewall-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },
})

test('does not claim that an address works behind a firewall, and names its rule', async ({
  network,
  folder,
}) => {
  test.skip(network.kind === 'one machine', 'the firewall of this machine is not ours to change')
  await needTools('nft')
  const data = join(folder, 'data')
  await addPeople(data, ['host'])
  await runOn(network.host, 'nft', [RULES])
  const under = [...network.host.enter]
  const options = { under, also: ['--host', '0.0.0.0', '--port', '4780'] }
  const host = await Host.start(data, options)
  const browser = await browserOn(network.host, folder)
  const page = await browser.newPage()
  const addresses = page.getByRole('region', { name: 'Addresses' })
  const best = addresses.getByLabel('Best address')

  await page.goto(`http://127.0.0.1:4780/manage?link=${await manageToken(data, under)}`)
  await page.getByLabel('Username').fill('host')
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('button', { name: 'Manage this host' }).click()
  // The reply has the new cookie.
  await expect(page).toHaveURL('http://127.0.0.1:4780/host')
  await expect(best).toHaveText(`http://${network.host.address}:4780`)
  await expect(addresses).toContainText('This computer answersPhones and computers on this network')
  await expect(addresses).toContainText(
    'No other device has opened this address in the last 7 days',
  )

  await addresses.getByRole('button', { name: 'Test with a phone' }).click()
  const dialog = page.getByRole('dialog', { name: 'Test with a phone' })
  const code = dialog.getByRole('img', { name: /^QR code of http:/ })
  const [, url = ''] = /of (\S+)$/.exec((await code.getAttribute('aria-label')) ?? '') ?? []
  const open = () => runOn(network.visitor, 'curl', ['-sS', '--connect-timeout', '1', url])
  await expect(open()).rejects.toMatchObject({ code: 28 })
  await expect(dialog.getByRole('status')).toContainText('Waiting for your phone')
  expect(await objectionsAtEverySize(page)).toEqual([])
  const rule = await dialog.getByLabel('Command for the firewall').textContent()
  expect(rule).toContain('tcp dport 4780 accept')

  await runOn(network.host, 'sh', ['-c', (rule ?? '').replaceAll('sudo ', '')])
  expect(await open()).toContain('This device reaches the host')
  await expect(dialog.getByRole('status')).toContainText('Another device reached this host')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(addresses).toContainText('WorksPhones and computers on this network')

  await host.stop()
  const restarted = await Host.start(data, options)
  await page.reload()
  await expect(addresses).toContainText('WorksPhones and computers on this network')
  await expect(addresses).toContainText('Last opened by another device')

  await browser.close()
  await restarted.stop()
})
