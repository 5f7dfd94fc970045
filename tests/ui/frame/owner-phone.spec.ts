import { aFile, aProject, expect, test } from '../support/owner-world'

test.use({ viewport: { width: 360, height: 740 } })

const LONG = `${'a-very-long-name-of-a-build-'.repeat(7)}1.2.3.apk`

test('no page of an owner scrolls sideways at 360 px, not even with names of 200 characters', async ({
  page,
  alice,
}) => {
  const { project_id } = await aProject(
    alice,
    'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'.repeat(1),
    true,
  )
  const { file_id } = await aFile(alice, LONG)
  await aFile(alice, 'short.zip', { isPublic: true })
  await alice.projects.link({
    id: project_id,
    file_id,
    version: '1.2.3-a-rather-long-prerelease.20261120',
    platform: 'Android',
  })
  await alice.feed.add({ id: project_id, content: 'x'.repeat(300) })
  await alice.apiKeys.create({ name: 'A key with quite a long name for a continuous integration job of somebody' })
  const project = `/projects/${project_id}`
  const pages = ['/dashboard', '/my-files', '/apk-builds', '/api-keys', '/projects', project]
  for (const path of [
    ...pages,
    `${project}/releases`,
    `${project}/updates`,
    `${project}/people`,
    `${project}/settings`,
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(sideways, path).toBeLessThanOrEqual(0)
  }
})

test('on a phone the actions of a file are one menu', async ({ page, alice }) => {
  await aFile(alice, LONG)
  await page.goto('/my-files')
  await expect(page.getByRole('table')).toHaveCount(0)
  await page.getByRole('button', { name: /Actions for/ }).click()
  for (const name of ['Download', 'Make Public', 'Delete']) {
    await expect(page.getByRole('menuitem', { name })).toBeVisible()
  }
})
