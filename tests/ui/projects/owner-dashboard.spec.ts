import { aHollowFile } from '../../support/world/factories'
import { aFile, aProject, expect, test } from '../../support/world/page'
import { withoutReplies } from '../support/without-replies'

test('a new account sees three steps, and each goes away when it is done', async ({
  page,
  alice,
  host,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome, alice' })).toBeVisible()
  await expect(page.getByText('alice@example.com')).toBeVisible()
  const steps = page.getByRole('region', { name: 'Three steps to your first release' })
  await expect(steps.getByRole('listitem')).toHaveCount(3)
  await expect(page).toHaveTitle('Dashboard · Slipway')

  const { file_id } = await aFile(alice, 'lantern.apk', { isPublic: true })
  await page.reload()
  await expect(page.getByText('Create a project').first()).toBeVisible()
  await expect(page.getByText('Upload a file')).toHaveCount(0)
  const { project_id, slug } = await aProject(alice, 'Lantern', true)
  await alice.projects.link({ id: project_id, file_id })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expect(page.getByText('Create a project')).toHaveCount(0)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Share your project')).toHaveCount(0)
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${host.url}/p/${slug}`)
  await expect(page.getByRole('region', { name: 'Suggestion' })).toBeVisible()
})

test('the storage card and the five newest files', async ({ page, alice, host }) => {
  for (const name of ['1.zip', '2.zip', '3.zip', '4.zip', '5.zip']) await aFile(alice, name)
  await aHollowFile(host, host.user('alice'), {
    filename: 'newest.zip',
    size: 75 * 1024 ** 2,
    isPublic: true,
  })
  await page.goto('/dashboard')
  const storage = page.getByRole('region', { name: 'Storage' })
  await expect(storage).toContainText('Free')
  await expect(storage).toContainText('75.00 MB of 100.00 MB used')
  await expect(storage.getByRole('progressbar')).toBeVisible()
  await expect(storage.locator('[data-level="orange"]')).toBeVisible()

  const rows = page.getByRole('table', { name: 'Recent files' }).getByRole('row')
  await expect(rows).toHaveCount(6)
  await expect(rows.nth(1)).toContainText('newest.zip')
  await expect(rows.nth(1)).toContainText('75.00 MB')
  await expect(rows.nth(1)).toContainText('Public')
  await expect(rows.nth(1)).toContainText('Just now')
  await page.getByRole('link', { name: 'All 6 files' }).click()
  await expect(page.getByRole('heading', { name: 'My Files' })).toBeVisible()
})

test('sentences say what others did since yesterday', async ({ page, alice }) => {
  const { project_id, title } = await aProject(alice, 'Lantern')
  const at = new Date().toISOString()
  const news = [
    { kind: 'downloads', version: '1.4.0', count: 1 },
    { kind: 'downloads', version: '', count: 2 },
    { kind: 'build', username: 'bob', filename: 'lantern.apk', at },
    { kind: 'post', username: 'bob', count: 1, at },
    { kind: 'webhook', name: 'chat', at },
    { kind: 'tester', name: 'friends', at },
  ].map((item) => ({ ...item, project_id, title }))
  await withoutReplies(page)
  await page.route('**/api/projects/news', (route) =>
    route.fulfill({ json: { success: true, news } }),
  )
  await page.goto('/dashboard')
  await expect(
    page.getByRole('region', { name: 'Since yesterday' }).getByRole('listitem'),
  ).toHaveText([
    '1 download of Lantern 1.4.0',
    '2 downloads of files without a version of Lantern',
    /^bob added lantern\.apk to Lantern/,
    /^bob posted news in Lantern/,
    /^The webhook “chat” of Lantern was turned off/,
    /^Testers of “friends” opened Lantern/,
  ])
})

test('pages that wait for several calls say which failed, and stay', async ({
  page,
  complaints,
}) => {
  await page.clock.install()
  await withoutReplies(page)
  for (const path of ['projects/my', 'projects/news', 'files/my-files', 'auth/api-keys'])
    await page.route(`**/api/${path}*`, (route) =>
      route.fulfill({ status: 500, json: { success: false, error: 'No', code: 'internal' } }),
    )

  for (const [path, says] of [
    ['/dashboard', 'Your files could not be loaded'],
    ['/api-keys', 'Your API keys could not be loaded'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(says)).toBeVisible()
    await page.clock.runFor(10_000)
    await expect(page.getByText(says)).toBeVisible()
  }
  complaints.length = 0
})

test('builds are counted and listed with their versions', async ({ page, alice }) => {
  await page.goto('/apk-builds')
  await expect(page.getByText('No builds yet')).toBeVisible()
  await aFile(alice, 'lantern-1.2.3.apk')
  await aFile(alice, 'lantern-1.3.0.apk')
  await aFile(alice, 'notes.txt')
  await page.reload()
  const statistics = page.locator('dl[aria-label="Statistics"]')
  await expect(statistics).toContainText('Total builds2')
  await expect(statistics).toContainText(
    `Total size${2 * 'the bytes of lantern-1.2.3.apk'.length} Bytes`,
  )
  await expect(statistics).toContainText('Versions2')
  await expect(page.getByRole('row', { name: /lantern-1\.3\.0\.apk.*1\.3\.0/ })).toBeVisible()
  await expect(page.getByText('notes.txt')).toHaveCount(0)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download lantern-1.2.3.apk' }).click()
  expect((await downloading).suggestedFilename()).toBe('lantern-1.2.3.apk')
})
