import { readFile } from 'node:fs/promises'
import { aFile, aPublicProject, expect, visitorTest as test } from '../../support/world/page'

test('the search covers titles and short descriptions without regard to case, and counts', async ({
  page,
  alice,
}) => {
  await aPublicProject(alice, { title: 'Lantern', short_description: 'A reading light' })
  await aPublicProject(alice, {
    title: 'Compass',
    short_description: 'Finds the LANTERN in the dark',
  })
  await aPublicProject(alice, { title: 'Anchor', description: 'lantern only in the description' })
  await alice.projects.create({ title: 'Secret lantern', is_public: false })

  await page.goto('/browse')
  await expect(page.getByText('3 projects')).toBeVisible()
  await page.getByRole('searchbox').pressSequentially('lantern')
  await expect(page.getByText('2 projects')).toBeVisible()
  await expect(page.getByRole('main').getByRole('article')).toHaveCount(2)
  await expect(page).toHaveURL('/browse?q=lantern')

  await page.reload()
  await expect(page.getByText('2 projects')).toBeVisible()
  await page.getByRole('searchbox').fill('zeppelin')
  await expect(page.getByText('No project matches “zeppelin”')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Clear search' }).click()
  await expect(page.getByText('3 projects')).toBeVisible()

  await page.getByRole('link', { name: 'Name' }).press('Enter')
  await expect(page).toHaveURL('/browse?sort=name')
  await expect(page.getByRole('main').getByRole('article').first()).toContainText('Anchor')
  await page.getByRole('link', { name: 'iOS' }).click()
  await expect(page.getByText('No project for iOS')).toBeVisible()
  await expect(page).toHaveURL('/browse?sort=name&platform=iOS')
  await page.getByRole('link', { name: 'All', exact: true }).click()

  await page.getByRole('link', { name: 'Compass' }).click()
  await expect(page).toHaveURL('/p/compass')
})

test('the landing page shows the six latest projects', async ({ page, alice }) => {
  for (const number of [1, 2, 3, 4, 5, 6, 7])
    await aPublicProject(alice, { title: `Project ${number}` })
  await page.goto('/')
  await expect(page.getByRole('main')).toContainText('Free, open source and self-hosted')
  const latest = page.getByRole('region', { name: 'Latest Projects' })
  await expect(latest.getByRole('article')).toHaveCount(6)
  await expect(latest.getByRole('article').first()).toContainText('Project 7')
  await expect(latest.getByText('Project 1')).toHaveCount(0)
})

test('public files are searched by name, and arrive byte for byte', async ({ page, alice }) => {
  await aFile(alice, 'lantern-1.0.apk', { isPublic: true, bytes: 'exactly these bytes' })
  await aFile(alice, 'compass.zip', { isPublic: true })
  await aFile(alice, 'lantern-secret.apk')

  await page.goto('/public-files')
  await expect(page.getByText('2 files')).toBeVisible()
  await page.getByRole('searchbox').pressSequentially('LANTERN')
  await expect(page.getByText('1 file', { exact: true })).toBeVisible()
  await expect(page.getByRole('row', { name: /lantern-1\.0\.apk/ })).toContainText('alice')

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download lantern-1.0.apk' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('lantern-1.0.apk')
  expect(await readFile(await download.path(), 'utf8')).toBe('exactly these bytes')
})
