import type { Page } from 'playwright/test'
import { apiDemos } from '../../support/packages'
import { aProject, clientOf, expect } from '../../support/world/page'
import { objectionsAtEverySize } from '../support/axe'
import { test } from '../support/window-world'
import { choose, picked } from '../support/uploading'

test('one sheet leads from a file to a link: facts, who can open it, and the network', async ({
  page,
  host,
  complaints,
}) => {
  await page.goto('/dashboard')
  await choose(page, apiDemos)
  const sheet = page.getByRole('dialog')
  await expect(page.getByRole('heading', { name: 'Publish API Demos' })).toBeVisible()
  await expect(sheet.getByText(/^5\.0\.0 \(25\) · Android 4\.2 or later/)).toBeVisible()
  await expect(sheet.getByRole('textbox', { name: 'Title' })).toHaveValue('API Demos')
  await expect(sheet.getByText('This is a debug build.')).toBeVisible()
  await sheet.getByText('Address: from the title').click()
  await sheet.getByRole('textbox', { name: 'Address' }).fill('demos')
  await expect(sheet.getByRole('radio', { name: 'Anyone with the link' })).toBeChecked()
  await expect(sheet.getByRole('switch', { name: 'Share on this network' })).toBeChecked()
  await sheet.getByRole('switch', { name: 'Share on this network' }).uncheck()
  expect(await objectionsAtEverySize(page)).toEqual([])
  await sheet.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'API Demos 5.0.0 is published' })).toBeVisible()
  await expect(sheet.getByLabel('Link')).toHaveText(`${host.url}/p/demos`)
  await expect(sheet.getByText(/^Only this computer can open this link/)).toBeVisible()
  await expect(sheet.getByRole('img', { name: /QR code of/ })).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Copy link' })).toBeFocused()
  expect(await objectionsAtEverySize(page)).toEqual([])
  await sheet.getByRole('link', { name: 'Share this host' }).click()
  await expect(page).toHaveURL('/host')
  await expect(sheet).toBeHidden()
  const owner = await clientOf(host, 'host')
  const { project } = await owner.projects.byId({ id: 'demos' })
  expect(project).toMatchObject({ title: 'API Demos', is_public: true })
  expect(project.downloads).toMatchObject([
    { is_public: true, platform: 'Android', release: { version: '5.0.0', state: 'published' } },
  ])

  await page.route('**/api/files/delete', (route) => route.fulfill({ status: 502 }), { times: 1 })
  await choose(page, apiDemos)
  await expect(sheet.getByRole('combobox', { name: 'Add to project' })).toHaveValue('API Demos')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Not published. Failed to delete 1 of 1 file.')).toBeVisible()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('Not published. 1 file is in the trash')).toBeVisible()
  expect((await owner.files.mine({})).total).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await owner.files.mine({ visibility: 'private' })).total).toBe(1)
  complaints.length = 0
})

test('who can open it covers project, release and file, also on a dead host', async ({
  page,
  host,
  complaints,
}) => {
  const owner = await clientOf(host, 'host')
  const { project_id } = await aProject(owner, 'Lantern', true)
  await page.goto(`/projects/${project_id}/updates`)
  await paste(page, 'lantern-2.0.0.zip')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('Version 2.0.0')).toBeVisible()
  await sheet.getByRole('radio', { name: 'Only collaborators' }).check()
  await page.route('**/api/projects/**', (route) => route.abort())
  await sheet.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(sheet.getByRole('alert').getByText('It could not be published')).toBeVisible()
  await page.unroute('**/api/projects/**')
  await sheet.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(
    page.getByRole('heading', { name: 'Lantern 2.0.0 is saved as a draft' }),
  ).toBeVisible()
  await expect(
    sheet.getByText('Only you and collaborators can open it, after they log in.'),
  ).toBeVisible()
  await sheet.getByRole('button', { name: 'Share link…' }).click()
  const links = page.getByRole('dialog', { name: 'Share lantern-2.0.0.zip' })
  await expect(links).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(links).toBeHidden()
  const { release } = await owner.releases.byVersion({ id: project_id, version: '2.0.0' })
  expect(release).toMatchObject({ state: 'draft', files: [{ is_public: false }] })
  await sheet.getByRole('link', { name: 'Publish it in Releases' }).click()
  await expect(page).toHaveURL(`/projects/${project_id}/releases`)
  await expect(sheet).toBeHidden()

  await choose(page, picked('lantern-2.0.0.dmg'))
  await expect(page.getByRole('heading', { name: / in Lantern$/ })).toBeVisible()
  await expect(sheet.getByText('Version 2.0.0')).toBeVisible()
  await expect(sheet.getByText('Lantern has no published version yet.')).toBeVisible()
  await expect(sheet.getByRole('radio', { name: 'Only collaborators' })).toBeChecked()
  await sheet.getByRole('radio', { name: 'Anyone with the link' }).check()
  await sheet.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Lantern 2.0.0 is published' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toBeHidden()
  expect((await owner.releases.byVersion({ id: project_id, version: '2.0.0' })).release.state).toBe(
    'published',
  )
  complaints.length = 0
})

/** Pastes a file that was copied in the system's file manager. */
async function paste(page: Page, name: string): Promise<void> {
  await page.getByLabel('Choose a folder').waitFor({ state: 'attached' })
  await page.evaluate((filename) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['a build'], filename))
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, name)
}

test('Publish works before the sheet has begun the upload', async ({ page, host }) => {
  const isCreated = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/projects'),
  )
  await page.route('**/api/storage/stats', async (route) => {
    await isCreated
    await route.continue()
  })
  await page.goto('/dashboard')
  await choose(page, apiDemos)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByRole('heading', { name: / is published$/ })).toBeVisible()
  expect((await (await clientOf(host, 'host')).files.mine({})).total).toBe(1)
})

test('a press on Publish while a package is read waits for its names', async ({ page }) => {
  const read = Promise.withResolvers<undefined>()
  await page.route('**/api/files/*/facts*', async (route) => {
    await read.promise
    await route.continue()
  })
  await page.goto('/dashboard')
  await choose(page, apiDemos)

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Reading …' })).toBeVisible()
  read.resolve(undefined)

  await expect(page.getByRole('heading', { name: 'API Demos 5.0.0 is published' })).toBeVisible()
})
