import { readFile } from 'node:fs/promises'
import { expect, test } from '../../support/world/page'

test('an export is downloaded on the page of the account, and imported there', async ({
  page,
  alice,
  complaints,
}) => {
  await alice.projects.create({ title: 'Rocket' })
  await page.goto('/projects')
  await page.getByRole('link', { name: 'Import' }).click()
  await expect(page).toHaveURL('/account#import')
  await expect(page.getByText(/One ZIP of .* with 1 project\./)).toBeVisible()

  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export everything' }).click()
  const zip = {
    name: 'export.zip',
    mimeType: 'application/zip',
    buffer: await readFile(await (await saving).path()),
  }

  const importing = page.getByRole('region', { name: 'Import' })
  await importing.getByLabel('ZIP to import').setInputFiles(zip)
  await expect(importing.getByRole('alert')).toContainText(
    'You already have a project at /p/rocket',
  )
  complaints.length = 0
  await importing.getByRole('button', { name: 'Import as copies' }).click()
  await expect(importing.getByRole('status')).toContainText('its address is /p/rocket-2 now')
  await importing.getByRole('link', { name: 'Rocket' }).click()
  await expect(page.getByRole('heading', { name: 'Rocket' })).toBeVisible()
  expect((await alice.projects.mine({})).projects).toHaveLength(2)
})
