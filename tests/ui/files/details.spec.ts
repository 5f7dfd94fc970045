import { readFile } from 'node:fs/promises'
import { aFile, aProject, expect, pageOf, test } from '../support/owner-world'
import { openSettled } from '../support/settled'
import { aBuild, aPublicProject } from '../support/visitor-world'

test('beside a public project stand its numbers, its owner, its dates and its website', async ({
  browser,
  page: _,
  host,
  alice,
}) => {
  const { slug } = await aPublicProject(alice)
  await alice.projects.update({ id: slug, project_url: 'https://lantern.example/about' })
  await aBuild(alice, (await alice.projects.byId({ id: slug })).project, 'lantern.apk')
  const page = await browser.newPage({ baseURL: host.url })
  await page.goto(`/p/${slug}`)

  const side = page.getByRole('complementary', { name: 'About this project' })
  for (const [name, value] of [
    ['Downloads', '0'],
    ['Views', '1'],
    ['Owner', 'alice'],
    ['Files', '1'],
    ['Published', 'Just now'],
    ['Updated', 'Just now'],
    ['Website', 'lantern.example'],
  ] as const) {
    await expect(side.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd[1]')).toHaveText(
      value,
    )
  }
  await expect(side.getByRole('link', { name: 'lantern.example' })).toHaveAttribute('rel', /noopener/)
  await page.close()
})

test('the details of a project can be looked up: ids, website and dates', async ({ page, alice }) => {
  const { project_id, slug } = await aProject(alice, 'Lantern')
  await alice.projects.update({ id: slug, project_url: 'https://lantern.example/about' })
  await page.goto(`/projects/${slug}/settings`)
  const details = page.getByRole('region', { name: 'Details' })
  for (const text of ['alice', project_id, slug, 'https://lantern.example/about', 'Created', 'Updated']) {
    await expect(details.getByText(text, { exact: true }).first()).toBeVisible()
  }
})

test('a build is downloaded from the list of builds', async ({ page, alice }) => {
  await aFile(alice, 'lantern-2.1.0.apk')
  await page.goto('/apk-builds')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download lantern-2.1.0.apk' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('lantern-2.1.0.apk')
  expect(await readFile(await download.path(), 'utf8')).toBe('the bytes of lantern-2.1.0.apk')
})

test('people that cannot be loaded are passed over without a word', async ({ page, alice, complaints }) => {
  const { slug } = await aProject(alice, 'Lantern')
  await page.route('**/collaborators', (route) => route.fulfill({ status: 400, json: { success: false } }))
  await page.goto(`/projects/${slug}/people`)
  await expect(page.getByRole('list', { name: 'People' }).getByText('alice')).toBeVisible()
  await expect(page.getByRole('list', { name: 'People' }).getByRole('listitem', { name: 'Loading' })).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  complaints.length = 0
})

test('only the author of an update can edit and delete it', async ({ browser, page: _, host, alice }) => {
  const { slug } = await aPublicProject(alice)
  await alice.feed.add({ id: slug, content: 'The first build' })
  for (const [person, count] of [
    ['alice', 1],
    ['host', 0],
  ] as const) {
    const page = await pageOf(browser, host, person)
    await openSettled(page, `/p/${slug}`)
    await expect(page.getByText('The first build')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Actions for this update' })).toHaveCount(count)
    await page.close()
  }
})
