import { expect } from '../../support/world/page'
import { test } from '../support/window-world'

test('settings are validated, saved, and apply at once', async ({ page, host }) => {
  await page.goto('/host/settings#advanced')
  const save = page.getByRole('button', { name: 'Save changes' })
  await expect(save).toBeDisabled()
  await page.getByLabel('Public URL').fill('builds.example/x')
  await page.getByLabel('Trusted proxies').fill('10.0.0.2\nproxy.example')
  await save.click()
  await expect(
    page.getByText('Enter an address such as https://builds.example, without a path'),
  ).toBeVisible()
  await expect(page.getByText('Enter IP addresses or networks')).toBeVisible()
  await expect(page.getByLabel('Public URL')).toBeFocused()

  await page.getByLabel('Public URL').fill('https://builds.example')
  await page.getByLabel('Trusted proxies').fill('10.0.0.2')
  await page.getByLabel('Name', { exact: true }).fill('Quay')
  await page.getByLabel('Tier of new accounts').selectOption('Pro')
  await save.click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(save).toBeDisabled()
  expect(host.inside.settings.get()).toMatchObject({
    ...{
      host_name: 'Quay',
      public_url: 'https://builds.example',
      trusted_proxies: ['10.0.0.2'],
      default_tier: 'Pro',
    },
  })
  await page.reload()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Quay')
})

test('a dialog above the settings sends its own field alone', async ({
  page,
  host,
  complaints,
}) => {
  await page.goto('/host/settings#advanced')
  await page.getByLabel('Uploads per hour').fill('77')
  await page.getByRole('button', { name: 'Set a mail password' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter the password')).toBeVisible()
  const password = dialog.getByLabel('Mail password', { exact: true })
  await expect(password).toBeFocused()
  await password.fill('secret')
  await password.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('1 change: Uploads per hour')).toBeVisible()
  expect(host.inside.settings.get().uploads_per_hour).toBe(100)
  complaints.length = 0
})

test('what is no number, or too small, is an error under its field', async ({ page, host }) => {
  await page.goto('/host/settings#advanced')
  const speed = page.getByLabel('Total speed in MB/s')
  await speed.fill('fast')
  await page.getByLabel('Port', { exact: true }).fill('')
  await page.getByLabel('Uploads per hour').fill('ten')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Enter a number')).toHaveCount(2)
  await expect(page.getByText('Enter a whole number')).toBeVisible()
  await expect(speed).toHaveValue('fast')
  await expect(
    page.getByRole('region', { name: 'This app' }),
    'does nothing in a browser',
  ).toHaveCount(0)
  await expect(page.getByLabel('Port', { exact: true })).toBeFocused()

  await page.getByRole('button', { name: 'Discard' }).click()
  await speed.fill('1.5')
  const people = page.getByRole('region', { name: 'People' })
  await expect(people.getByLabel('API keys per account')).toHaveValue('100')
  await people.getByLabel('Projects per account').fill('0')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(people.getByText('At least 1')).toBeVisible()
  await people.getByLabel('Projects per account').fill('20')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  expect(host.inside.settings.get()).toMatchObject({
    ...{
      bytes_per_second_in_all: 1.5 * 1024 ** 2,
      projects_per_account: 20,
      api_keys_per_account: 100,
    },
  })
})

test('a search finds advanced settings by text and unit, keeps mistakes', async ({ page }) => {
  await page.goto('/host/settings')
  await expect(page.getByLabel('Largest file')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Port', exact: true })).toHaveCount(0)
  await page.getByText('Advanced', { exact: true }).click()
  const settings = page.locator('#advanced').getByRole('textbox')
  await page.getByRole('textbox', { name: 'Port', exact: true }).fill('1')
  const search = page.getByRole('searchbox', { name: 'Find a setting' })
  await search.fill('mb/s')
  await expect(settings).toHaveCount(3)
  await search.fill('stun')
  await expect(page.getByRole('region', { name: 'From anywhere' })).toBeVisible()
  await expect(settings).toHaveCount(0)

  await page.getByText('Advanced', { exact: true }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Choose a port from 1024 to 65535')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Port', exact: true })).toBeFocused()
})

test('the host is shared at chosen addresses; the page warns', async ({ page, host }) => {
  await page.goto('/host/settings')
  const [first] = host.inside.addresses.own().filter(({ kind }) => kind !== 'loopback')
  const save = page.getByRole('button', { name: 'Save changes' })
  await page.getByLabel('Who can reach this host').selectOption('chosen')
  await save.click()
  await expect(page.getByText('Choose at least one address')).toBeVisible()
  if (first) {
    await page.getByLabel(first.address).check()
    await save.click()
    await expect(page.getByText('Settings saved')).toBeVisible()
    expect(host.inside.bound()).toMatchObject({ host: '127.0.0.1', also: [first.address] })
    await page.getByLabel('Who can reach this host').selectOption('here')
    await expect(
      page.getByText(`other devices can no longer reach this host at ${first.address}.`),
    ).toBeVisible()
    await save.click()
    await expect.poll(() => host.inside.bound().also).toEqual([])
  }
})

test('a port that is taken is refused beside its field', async ({ page, complaints }) => {
  await page.goto('/host/settings#port')
  const port = page.getByRole('textbox', { name: 'Port', exact: true })
  await expect(port, 'the link leads to it').toBeFocused()
  const own = Number(await port.inputValue())
  const { createServer } = await import('node:net')
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port: taken } = other.address() as { port: number }
  await port.fill(String(taken))
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(
    page.getByText(new RegExp(`Port ${taken} is in use by .+\\. \\d+ is free\\.`)),
  ).toBeVisible()
  const use = page.getByRole('button', { name: /^Use \d+ instead$/ })
  const free = /\d+/.exec((await use.textContent()) ?? '')?.[0]
  await use.click()
  await expect(port).toHaveValue(String(free))
  await expect(use).toHaveCount(0)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(port).toHaveValue(String(own))
  other.close()
  complaints.length = 0
})
