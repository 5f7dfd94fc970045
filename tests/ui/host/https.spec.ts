import { expect } from '../../support/world/page'
import { test } from '../support/window-world'

test('the host turns HTTPS on and shows how devices can trust it', async ({ page, host }) => {
  await page.goto('/host/settings#advanced')
  const section = page.getByRole('region', { name: 'HTTPS' })
  await page.getByLabel('Who can reach this host').selectOption('all')
  await section.getByLabel('Encryption').selectOption('local')
  await expect(section.getByLabel('Redirect visitors to HTTPS')).toBeChecked()
  await page.getByRole('button', { name: 'Save changes' }).click()

  await expect(section.getByText('Each device has to trust this host once')).toBeVisible()
  const fingerprint = host.inside.https.authority?.fingerprint256 ?? 'none'
  await expect(section).toContainText(fingerprint)
  expect(host.inside.addresses.best()).toMatch(/^https:/)
  await page.goto('/trust')
  await expect(page.getByRole('heading', { name: 'Trust this host' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(fingerprint)
  await page.getByText('iPhone and iPad').click()
  await expect(page.getByText('Certificate Trust Settings')).toBeVisible()
})

test('says which names the public certificate is for', async ({ page, host }) => {
  await page.goto('/host/settings#advanced')
  const section = page.getByRole('region', { name: 'HTTPS' })
  await page.getByLabel('Who can reach this host').selectOption('all')
  await section.getByLabel('Encryption').selectOption('public')
  await expect(section).toContainText('Until there is a public certificate, they all do.')
  await page.getByRole('button', { name: 'Save changes' }).click()

  await expect(section.getByText('Each device has to trust this host once')).toBeVisible()
  await expect(section).toContainText(host.inside.https.authority?.fingerprint256 ?? 'none')
})
