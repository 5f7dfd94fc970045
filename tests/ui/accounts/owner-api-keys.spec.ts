import { answer, aProject, expect, test } from '../../support/world/page'
import { walkTo } from '../support/settled'

test('a key is shown once, uploads a build, is revoked, and is deleted', async ({
  page,
  alice,
  host,
}) => {
  const { project_id, slug } = await aProject(alice, 'Lantern')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/api-keys?project=${project_id}`)
  await expect(page.getByText('No API keys yet')).toBeVisible()
  await page.getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  await expect(dialog.getByText('Give the key a name')).toBeVisible()
  await dialog.getByLabel('Name').fill('GitHub Actions')
  await dialog.getByLabel('Expires after').fill('0')
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  await expect(dialog.getByText('Use at least 1 day')).toBeVisible()
  await dialog.getByText('30 days', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Create API key' }).click()

  await expect(dialog.getByText('Copy this key now')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Copy key' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(readClipboard).toMatch(/^apk_[\w-]{43}$/)
  const key = await readClipboard()
  await expect(dialog.getByText(key)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog.getByText(key)).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const terminal = page.getByRole('region', { name: 'Terminal' })
  await expect(terminal).toContainText(`SLIPWAY_KEY=${key}`)
  await expect(page.getByText('This block contains your new key.')).toBeVisible()
  await page.reload()
  await expect(terminal).toContainText('SLIPWAY_KEY=apk_…')
  await expect(page.getByText(key)).toHaveCount(0)

  const row = page.getByRole('row', { name: /GitHub Actions/ })
  await expect(row).toContainText('Active')
  await expect(row).toContainText('Upload only · Lantern')
  await expect(row).toContainText('In 30 days')
  const [{ key_id } = { key_id: '' }] = (await alice.apiKeys.list({})).keys
  await expect(row).toContainText(`${key_id.slice(0, 12)}…`)

  const upload = () => {
    const form = new FormData()
    form.append('project_id', slug)
    form.append('version', '1.4.0')
    form.append('platform', 'Android')
    form.append('file', new Blob(['bytes']), 'from-ci.apk')
    return fetch(`${host.url}/api/files/upload`, {
      method: 'POST',
      headers: { 'X-API-Key': key },
      body: form,
    })
  }
  expect((await upload()).status).toBe(201)
  await walkTo(page, '/my-files')
  await expect(page.getByRole('row', { name: /from-ci\.apk/ })).toBeVisible()
  await walkTo(page, `/projects/${project_id}`)
  await expect(page.getByRole('row', { name: /from-ci\.apk.*1\.4\.0.*Android/ })).toBeVisible()

  await page.goto('/api-keys')
  await expect(row).not.toContainText('Never')
  await row.getByRole('button', { name: 'Revoke GitHub Actions' }).click()
  await answer(page, 'Are you sure you want to revoke this API key?', 'Revoke')
  await expect(row).toContainText('Revoked')
  await expect(row.getByRole('button', { name: /Revoke/ })).toHaveCount(0)
  expect((await upload()).status).toBe(401)

  await row.getByRole('button', { name: 'Delete GitHub Actions' }).click()
  await answer(page, 'Are you sure you want to delete this API key?', 'Delete')
  await expect(page.getByText('No API keys yet')).toBeVisible()
})

test('the examples carry the address of this host and a project of the reader', async ({
  page,
  alice,
  host,
}) => {
  await aProject(alice, 'Lantern')
  await page.goto('/api-keys')
  const terminal = page.getByRole('region', { name: 'Terminal' })
  await expect(terminal).toContainText(`SLIPWAY_URL=${host.url}`)
  await expect(terminal).toContainText('--project lantern')
  await page.getByRole('tab', { name: 'curl' }).click()
  const curl = page.getByRole('region', { name: 'curl' })
  await expect(curl).toContainText(`${host.url}/api/files/upload`)
  for (const part of [
    'X-API-Key: $',
    '-F project_id=lantern',
    '-F version=',
    '-F platform=',
    '-F file=@',
  ]) {
    await expect(curl).toContainText(part)
  }
  await page.getByRole('tab', { name: 'GitHub Actions' }).click()
  await expect(page.getByRole('region', { name: /publish\.yml/ })).toContainText(
    'secrets.SLIPWAY_KEY',
  )
  const digests = await (await fetch(`${host.url}/cli.sha256`)).text()
  await expect(page.getByRole('region', { name: /action\.yml/ })).toContainText(
    digests.split('\n')[0] ?? '',
  )
})
