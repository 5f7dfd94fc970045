import type { Page } from 'playwright/test'
import { objections } from '../support/axe'
import {
  aBuild,
  aFile,
  answer,
  aProject,
  aPublicProject,
  expect,
  test,
} from '../../support/world/page'
import { walkTo } from '../support/settled'
import { addExistingFiles } from '../support/add-existing-files'

const link = (page: Page) => page.getByRole('dialog', { name: /Add files to/ })

test('a project is created from its dialog, and its page opens', async ({ page, alice }) => {
  await page.goto('/projects')
  await expect(page.getByText('No projects yet')).toBeVisible()
  await page.getByRole('button', { name: 'Create project' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create project' })
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await expect(dialog.getByText('Give the project a title')).toBeVisible()

  await dialog.getByLabel('Title').fill('Lantern')
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByText('Project created successfully!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Lantern', level: 1 })).toBeVisible()
  const { projects } = await alice.projects.mine({})
  expect(projects).toMatchObject([{ title: 'Lantern', short_description: '', is_public: false }])
})

test('the grid leads to each project, and deletes one without its files', async ({
  page,
  alice,
}) => {
  const { project_id } = await aProject(alice, 'Lantern')
  const { file_id } = await aFile(alice, 'lantern.apk')
  await alice.projects.link({ id: project_id, file_id })
  await page.goto('/projects')
  await page.getByRole('link', { name: 'Manage Lantern' }).click()
  await expect(page).toHaveURL(new RegExp(`/projects/${project_id}$`))
  await walkTo(page, '/projects')
  await page.getByRole('button', { name: 'Actions for Lantern' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, 'Its files will not be deleted.', 'Delete project')
  await expect(page.getByText('No projects yet')).toBeVisible()
  expect((await alice.files.mine({})).total).toBe(1)
  await page.getByRole('link', { name: 'Trash' }).click()
  await expect(page.getByRole('row', { name: /Lantern/ })).toBeVisible()
})

test('a project is edited in its settings, where input outlives a reload until discarded', async ({
  page,
  alice,
}) => {
  const { project_id, slug } = await aProject(alice, 'Lantern')
  await page.goto(`/projects/${project_id}/settings`)
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeDisabled()
  await page.getByLabel('Title').fill('Half a thou')
  await page.reload()
  await expect(page.getByLabel('Title')).toHaveValue('Half a thou')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Lantern')
  await page.getByLabel('Website').fill('lantern.example')
  await page.getByLabel('Title').fill('Lantern 2')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Start the address with http:// or https://')).toBeVisible()
  await page.getByLabel('Website').fill('https://lantern.example')
  await page.getByRole('switch', { name: 'Public' }).check()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Project updated successfully!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Lantern 2', level: 1 })).toBeVisible()
  const { project } = await alice.projects.byId({ id: project_id })
  expect(project).toMatchObject({
    title: 'Lantern 2',
    slug,
    is_public: true,
    project_url: 'https://lantern.example',
  })
})

test('files of the host are added by choosing several, once each, and taken off again', async ({
  page,
  alice,
}) => {
  const { project_id } = await aProject(alice, 'Lantern')
  for (const name of ['one.apk', 'two.apk', 'three.apk']) await aFile(alice, name)
  await page.goto(`/projects/${project_id}`)
  await addExistingFiles(page)
  await link(page).getByRole('button', { name: 'Add to project' }).click()
  await expect(link(page).getByText('Please select at least one file')).toBeVisible()
  await link(page).getByRole('checkbox', { name: 'one.apk' }).check()
  await link(page).getByRole('checkbox', { name: 'two.apk' }).check()
  await link(page).getByRole('combobox', { name: 'Version' }).fill('1.0.0')
  await link(page).getByRole('button', { name: 'Add 2 files' }).click()
  await expect(page.getByText('Successfully added 2 file(s) to project')).toBeVisible()
  await expect(page.getByRole('row', { name: /one\.apk.*1\.0\.0.*Android/ })).toBeVisible()

  await addExistingFiles(page)
  await expect(link(page).getByRole('checkbox')).toHaveCount(1)
  await expect(link(page).getByRole('checkbox', { name: 'three.apk' })).toBeVisible()
  await link(page).getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Remove from project one.apk' }).click()
  await answer(page, 'Remove this file from the project?', 'Remove')
  await expect(page.getByText('File removed from project')).toBeVisible()
  await expect(page.getByRole('row', { name: /one\.apk/ })).toBeHidden()
  expect((await alice.files.mine({})).total).toBe(3)
})

test('each tab of a project has an address, and no project is not found', async ({
  page,
  alice,
  host,
  complaints,
}) => {
  const { project_id, slug } = await aProject(alice, 'Lantern', true)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/projects/${project_id}`)
  const tabs = page.getByRole('navigation', { name: 'Project' })
  for (const [name, path] of [
    ['Releases', 'releases'],
    ['News', 'updates'],
    ['Team', 'people'],
    ['Settings', 'settings'],
  ] as const) {
    await tabs.getByRole('link', { name }).click()
    await expect(page).toHaveURL(new RegExp(`/projects/${project_id}/${path}$`))
    await expect(page).toHaveTitle(`${name} · Lantern · Slipway`)
    await expect(tabs.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
  }
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect(page.getByText('Copied. Only this computer can open it.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${host.url}/p/${slug}`)

  await walkTo(page, '/projects/nothing-here')
  await expect(page.getByRole('heading', { name: 'Project not found' })).toBeVisible()
  await page.goBack()
  await page.getByLabel('Title').fill('Lantern 2')
  await alice.projects.remove({ id: project_id })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { name: 'Project not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Your projects' }).click()
  await expect(page).toHaveURL(/\/projects$/)
  complaints.length = 0
})

test('the owner sees which old releases would go, keeps the last, and restores one', async ({
  page,
  alice,
}) => {
  const project = await aPublicProject(alice)
  for (const version of ['1.0.0', '1.1.0', '1.2.0'])
    await aBuild(alice, project, `lantern-${version}.apk`, { version })
  await page.goto(`/projects/${project.slug}/settings`)
  const section = page.getByRole('region', { name: 'Old releases' })
  await section.getByRole('button', { name: 'Change stable' }).click()
  const dialog = page.getByRole('dialog', { name: 'Old releases of stable' })
  await dialog.getByLabel('Only the last releases').check()
  await expect(dialog.getByText('No release is old enough to move.')).toBeVisible()
  await dialog.getByLabel('How many').fill('0')
  await expect(dialog.getByText('Choose 1 to 1000 releases')).toBeVisible()
  await dialog.getByLabel('How many').fill('1')
  const moving = dialog.getByRole('table', { name: 'Releases that move' })
  await expect(moving.getByRole('cell', { name: /^1\./ })).toHaveText(['1.0.0', '1.1.0'])
  expect(await objections(page)).toEqual([])

  await dialog.getByRole('button', { name: 'Save and move 2 releases' }).press('Enter')
  await expect(
    page.getByText(/stable keeps its last release\. 2 releases \(.*\) move to the trash/),
  ).toBeVisible()
  await expect(section.getByRole('row', { name: /stable 1 · .* The last 1/ })).toBeVisible()
  await expect(section.getByRole('button', { name: 'Change stable' })).toBeFocused()
  await walkTo(page, '/trash')
  await page.getByRole('button', { name: 'Restore Lantern 1.1.0' }).click()
  await expect(page.getByText('Release restored')).toBeVisible()
  const { releases } = await alice.releases.list({ id: project.slug })
  expect(releases.map(({ version, total_files }) => [version, total_files])).toEqual([
    ['1.2.0', 1],
    ['1.1.0', 1],
  ])
})
