import type { Locator, Page } from 'playwright/test'
import type { Project } from '../../../server/contract'
import type { Client } from '../../../renderer/lib/client/api-client'
import {
  aBuild,
  aFile,
  answer,
  aProject,
  aPublicProject,
  expect,
  test,
} from '../../support/world/page'
import { addExistingFiles } from '../support/add-existing-files'

const card = (page: Page, version: string): Locator =>
  page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: version, exact: true }) })

async function open(page: Page, { slug }: Project): Promise<void> {
  await page.goto(`/projects/${slug}/releases`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Lantern with 1.3.0 and 1.4.0-rc.1, both with an app. */
async function aLantern(alice: Client): Promise<Project> {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern.apk', { version: '1.3.0' })
  await aBuild(alice, project, 'lantern.apk', { version: '1.4.0-rc.1' })
  return project
}

const newest = async (alice: Client) =>
  (await alice.releases.latest({ id: 'lantern' })).release.version

test('one click promotes a beta or withdraws a release, and Undo takes both back', async ({
  page,
  alice,
  host,
}) => {
  await open(page, await aLantern(alice))
  const beta = card(page, '1.4.0-rc.1')
  await beta.getByRole('button', { name: 'Promote to stable: 1.4.0-rc.1' }).press('Enter')

  await expect(page.getByText('Promoted 1.4.0-rc.1 to stable')).toBeVisible()
  await expect(beta.getByText('stable', { exact: true })).toBeVisible()
  await expect(beta.getByRole('heading', { name: '1.4.0-rc.1' })).toBeFocused()
  expect(await newest(alice)).toBe('1.4.0-rc.1')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(beta.getByText('beta', { exact: true })).toBeVisible()
  expect(await newest(alice)).toBe('1.3.0')

  const broken = card(page, '1.3.0')
  const status = async () =>
    (await fetch(`${host.url}/p/lantern/releases/1.3.0/lantern.apk`)).status
  await broken.getByRole('button', { name: 'Withdraw: 1.3.0' }).click()
  await expect(broken.getByText('Withdrawn', { exact: true })).toBeVisible()
  await expect(page.getByText('Withdrew 1.3.0')).toBeVisible()
  await expect(broken.getByText('Project members still see it')).toBeVisible()
  expect(await status()).toBe(404)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(broken.getByRole('button', { name: 'Withdraw: 1.3.0' })).toBeVisible()
  await expect.poll(status).toBe(200)
})

test('promoting and publishing ask about private files, and Undo hides them again', async ({
  page,
  alice,
  host,
}) => {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern.apk', { version: '1.4.0-rc.1', isPublic: false })
  await open(page, project)
  const status = async () =>
    (await fetch(`${host.url}/p/lantern/releases/1.4.0-rc.1/lantern.apk`)).status
  const promote = card(page, '1.4.0-rc.1').getByRole('button', { name: /Promote to stable/ })
  await promote.click()
  // Before it is there, Escape closes nothing.
  await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(promote).toBeFocused()
  await promote.click()
  await answer(
    page,
    'Its 1 file is private: visitors do not get it.',
    'Promote and make its 1 file public',
  )
  await expect(page.getByText('Promoted 1.4.0-rc.1 to stable')).toBeVisible()
  expect(await status()).toBe(200)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(status).toBe(404)

  await promote.click()
  await answer(page, 'visitors do not get it', 'Promote only')
  await expect(page.getByText('Promoted 1.4.0-rc.1 to stable')).toBeVisible()
  await card(page, '1.4.0-rc.1')
    .getByRole('button', { name: /^Withdraw/ })
    .click()
  await card(page, '1.4.0-rc.1')
    .getByRole('button', { name: /^Publish again/ })
    .click()
  await answer(page, 'visitors do not get it', 'Publish and make its 1 file public')
  await expect.poll(status).toBe(200)
})

test('a change by others is shown, failures explained', async ({ page, alice, complaints }) => {
  await open(page, await aLantern(alice))
  const beta = card(page, '1.4.0-rc.1')
  await expect(beta).toBeVisible()
  await alice.releases.withdraw({ id: 'lantern', version: '1.4.0-rc.1' })
  await beta.getByRole('button', { name: /Promote to stable/ }).click()
  await expect(page.getByText('Promoted 1.4.0-rc.1 to stable (still withdrawn)')).toBeVisible()
  await expect(beta.getByRole('button', { name: 'Publish again: 1.4.0-rc.1' })).toBeVisible()

  await page.route('**/withdraw', (route) => route.abort())
  await card(page, '1.3.0').getByRole('button', { name: 'Withdraw: 1.3.0' }).click()
  await expect(page.getByText('The release could not be withdrawn')).toBeVisible()
  await expect(card(page, '1.3.0').getByRole('button', { name: 'Withdraw: 1.3.0' })).toBeVisible()
  complaints.length = 0
})

test('a draft is created with notes and a preview, gets files, and is published', async ({
  page,
  alice,
}) => {
  const project = await aPublicProject(alice)
  await open(page, project)
  await expect(
    page.getByText('A release is a version with its files, its notes and a channel'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Create release' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create release' })
  await dialog.getByLabel('Channel').fill('Early Birds')
  await dialog.getByRole('button', { name: 'Create release' }).click()
  await expect(dialog.getByText('Enter a version')).toBeVisible()
  await expect(dialog.getByText('Use letters, digits and single hyphens')).toBeVisible()
  await dialog.getByLabel('Version').fill('1.0 beta/2')
  await dialog.getByLabel('Channel').fill('Early-Birds')
  await dialog.getByLabel('Notes').fill('* **Faster** <b>start</b>')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByRole('region', { name: 'Preview' }).getByRole('listitem')).toContainText(
    'Faster',
  )
  await dialog.getByRole('checkbox', { name: 'Keep as a draft' }).check()
  await dialog.getByRole('button', { name: 'Create draft' }).click()

  const draft = card(page, '1.0 beta/2')
  await expect(draft.getByText('Draft', { exact: true })).toBeVisible()
  expect((await alice.releases.list({ id: 'lantern' })).releases).toMatchObject([
    {
      version: '1.0 beta/2',
      channel: 'early-birds',
      state: 'draft',
      notes: '* **Faster** <b>start</b>',
    },
  ])
  await draft.getByRole('link', { name: 'Add files to 1.0 beta/2' }).click()
  await expect(page.getByText('New files go into release 1.0 beta/2.')).toBeVisible()
  await page.setInputFiles('input[type=file]', {
    name: 'lantern.apk',
    mimeType: '',
    buffer: Buffer.from('x'),
  })
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveValue('1.0 beta/2')
  await expect(
    page.getByRole('radio', { name: 'Only collaborators' }),
    'a draft stays one',
  ).toBeChecked()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByText('File uploaded and added to project!')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Releases', exact: true }).click()
  await expect(draft.getByRole('link', { name: 'Download lantern.apk' })).toBeVisible()
  await draft.getByRole('button', { name: 'Make Public: lantern.apk' }).click()
  await draft.getByRole('button', { name: 'Publish: 1.0 beta/2' }).click()
  await expect(draft.getByRole('link', { name: 'View its page' })).toHaveAttribute(
    'href',
    '/p/lantern/releases/1.0%20beta%2F2',
  )
  await expect
    .poll(async () => (await alice.releases.list({ id: 'lantern' })).releases[0]?.state)
    .toBe('published')
})

test('forms that add files suggest versions, make drafts', async ({ page, alice }) => {
  const project = await aLantern(alice)
  await aFile(alice, 'other.zip')
  await page.goto(`/projects/${project.slug}`)
  await addExistingFiles(page)
  const dialog = page.getByRole('dialog', { name: /Add files to/ })
  await dialog.getByRole('checkbox', { name: /other\.zip/ }).check()
  const version = dialog.getByRole('combobox', { name: 'Version' })
  await version.fill('1.3')
  await page.getByRole('option', { name: '1.3.0' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Channel of the new release' })).toHaveCount(0)
  await version.fill('1.5.0')
  const channel = dialog.getByRole('combobox', { name: 'Channel of the new release' })
  await channel.fill('Nightly')
  await channel.press('Tab')
  await dialog.getByRole('checkbox', { name: 'Keep the new release as a draft' }).check()
  await dialog.getByRole('button', { name: 'Add to project' }).click()
  await expect(dialog).toBeHidden()
  const { release } = await alice.releases.byVersion({ id: 'lantern', version: '1.5.0' })
  expect(release).toMatchObject({
    channel: 'nightly',
    state: 'draft',
    files: [{ filename: 'other.zip' }],
  })

  await page.setInputFiles('input[type=file]', {
    name: 'lantern.zip',
    mimeType: '',
    buffer: Buffer.from('x'),
  })
  await page.getByRole('combobox', { name: 'Version' }).fill('1.6.0')
  await page.getByRole('checkbox', { name: 'Keep the new release as a draft' }).check()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByText('File uploaded and added to project!')).toBeVisible()
  const { release: uploaded } = await alice.releases.byVersion({ id: 'lantern', version: '1.6.0' })
  expect(uploaded).toMatchObject({
    channel: 'stable',
    state: 'draft',
    files: [{ filename: 'lantern.zip' }],
  })
})

test('notes are edited by keyboard, outlive a failure, and fold when long', async ({
  page,
  alice,
  complaints,
}) => {
  await open(page, await aLantern(alice))
  const menu = card(page, '1.3.0').getByRole('button', { name: 'Actions for 1.3.0' })
  await menu.press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Edit 1.3.0' })
  await expect(dialog.getByLabel('Notes')).toBeFocused()
  const lines = Array.from({ length: 20 }, (_, line) => `* Change ${line}`).join('\n')
  await dialog.getByLabel('Notes').fill(lines)
  await page.route('**/releases/1.3.0', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('The release could not be saved')).toBeVisible()
  complaints.length = 0
  await page.unroute('**/releases/1.3.0')
  await dialog.getByRole('button', { name: 'Save' }).click()

  await expect(dialog).toBeHidden()
  await expect(menu).toBeFocused()
  const release = card(page, '1.3.0')
  await expect(release.getByText('Change 7')).toBeVisible()
  await expect(release.getByText('Change 8')).toHaveCount(0)
  await release.getByRole('button', { name: 'Show all notes of 1.3.0' }).click()
  await expect(release.getByText('Change 19')).toBeVisible()
})

test('the menu moves a release, and deletes an empty one', async ({ page, alice }) => {
  const project = await aLantern(alice)
  await alice.releases.create({ id: project.slug, version: '2.0.0', state: 'draft' })
  await open(page, project)
  await page.getByRole('button', { name: 'Actions for 1.4.0-rc.1' }).click()
  await page.getByRole('menuitem', { name: 'Move to another channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 1.4.0-rc.1' })
  await dialog.getByLabel('Channel').fill('no spaces')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect(dialog.getByText('Use letters, digits and single hyphens')).toBeVisible()
  await dialog.getByLabel('Channel').fill('canary')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect(page.getByText('Promoted 1.4.0-rc.1 to canary')).toBeVisible()

  await page.getByRole('button', { name: 'Actions for 1.3.0' }).click()
  await expect(page.getByRole('menuitem', { name: 'Move to canary' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions for 2.0.0' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, 'This cannot be undone.', 'Delete release')
  await expect(card(page, '2.0.0')).toHaveCount(0)
})

test('500 releases have pages and channels in the address', async ({ page, alice, host }) => {
  const { project_id } = await aProject(alice, 'Lantern')
  const { releases } = host.inside.projects
  const project = { id: project_id, ownerId: host.inside.users.byName('alice')?.id ?? '' }
  const versions = Array.from(
    { length: 500 },
    (_, number) => `1.${number}.0${number % 50 === 0 ? '-rc.1' : ''}`,
  )
  await Promise.all(
    versions.map((version) =>
      releases.create(project, version, { notes: 'x', state: 'published' }),
    ),
  )
  await page.goto('/projects/lantern/releases')
  await expect(page.getByRole('heading', { name: '1.499.0' })).toBeVisible()
  await expect(page.getByText('1–20 of 500')).toBeVisible()
  await page.getByRole('button', { name: 'Page 2', exact: true }).click()
  await expect(page.getByRole('heading', { name: '1.479.0' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Channel' }).selectOption('beta')
  await expect(page.getByRole('article')).toHaveCount(10)
  await page.reload()
  await expect(page).toHaveURL(/channel=beta/)
  await expect(page.getByRole('article')).toHaveCount(10)
})
