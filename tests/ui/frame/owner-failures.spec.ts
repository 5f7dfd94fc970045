import type { Page } from 'playwright/test'
import { addUser, aFile, answer, aProject, expect, test } from '../support/owner-world'

/** From now on every change is answered by something that is not us: a proxy, say, that has lost the host. */
async function loseTheHost(page: Page): Promise<void> {
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 502, body: 'Bad gateway' }),
  )
}

test.afterEach(({ complaints }) => {
  complaints.length = 0
})

test('a project that cannot be created, changed or deleted says so, and keeps what was typed', async ({
  page,
  alice,
}) => {
  const { project_id } = await aProject(alice, 'Lantern')
  await page.goto('/projects')
  await loseTheHost(page)
  await page.getByRole('button', { name: 'Create project' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create project' })
  await dialog.getByLabel('Title').fill('Rocket')
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByText('Failed to create project')).toBeVisible()
  await expect(dialog.getByLabel('Title')).toHaveValue('Rocket')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Actions for Lantern' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, 'Its files will not be deleted.', 'Delete project')
  await expect(page.getByText('Failed to delete project')).toBeVisible()

  await page.goto(`/projects/${project_id}/settings`)
  await page.getByLabel('Title').fill('Lantern 2')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Failed to update project')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Lantern 2')
})

test('files that cannot be added to a project or taken off say so', async ({ page, alice }) => {
  const { project_id } = await aProject(alice, 'Lantern')
  const { file_id } = await aFile(alice, 'linked.apk')
  await alice.projects.link({ id: project_id, file_id })
  await aFile(alice, 'other.apk')
  await page.goto(`/projects/${project_id}`)
  await loseTheHost(page)
  await page.getByRole('button', { name: 'Add existing files' }).click()
  const dialog = page.getByRole('dialog', { name: /Add files to/ })
  await dialog.getByRole('checkbox', { name: 'other.apk' }).check()
  await dialog.getByRole('button', { name: /^Add/ }).click()
  await expect(page.getByText('Failed to add files')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Remove from project linked.apk' }).click()
  await answer(page, 'Remove this file from the project?', 'Remove')
  await expect(page.getByText('Failed to remove file')).toBeVisible()
  await expect(page.getByRole('row', { name: /linked\.apk/ })).toBeVisible()
})

test('keeps the list of people and shows the error when adding or removing fails', async ({ page, alice, host }) => {
  await addUser(host, 'bob')
  const { project_id } = await aProject(alice, 'Lantern')
  await alice.collaborators.add({ id: project_id, username: 'bob' })
  await page.goto(`/projects/${project_id}/people`)
  await expect(page.getByRole('list', { name: 'People' }).getByText('bob')).toBeVisible()
  await loseTheHost(page)
  await page.getByRole('textbox', { name: 'Username or email' }).fill('carol')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Failed to add collaborator')).toBeVisible()

  await page.getByRole('button', { name: 'Remove bob' }).click()
  await answer(page, 'Remove bob from this project?', 'Remove')
  await expect(page.getByText('Failed to remove collaborator')).toBeVisible()
  await expect(page.getByRole('list', { name: 'People' }).getByText('bob')).toBeVisible()
})

test('updates that cannot be posted, changed or deleted say so, and keep what was typed', async ({ page, alice }) => {
  const { project_id } = await aProject(alice, 'Lantern')
  await alice.feed.add({ id: project_id, content: 'First light' })
  await page.goto(`/projects/${project_id}/updates`)
  await loseTheHost(page)
  const composer = page.getByRole('region', { name: 'New update' })
  await composer.getByRole('textbox').fill('Second light')
  await composer.getByRole('button', { name: 'Post update' }).click()
  await expect(page.getByText('Failed to add post')).toBeVisible()
  await expect(composer.getByRole('textbox')).toHaveValue('Second light')

  const post = page.getByRole('article')
  await post.getByRole('button', { name: 'Actions for this update' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await post.getByRole('textbox', { name: 'Edit update' }).fill('First light, mended')
  await post.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Failed to update post')).toBeVisible()
  await post.getByRole('button', { name: 'Cancel' }).click()

  await post.getByRole('button', { name: 'Actions for this update' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, 'Delete this post?', 'Delete')
  await expect(page.getByText('Failed to delete post')).toBeVisible()
  await expect(post.getByText('First light')).toBeVisible()
})

test('a key that cannot be created and an upload that fails say so', async ({ page }) => {
  await page.goto('/api-keys')
  await loseTheHost(page)
  await page.getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('CI')
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  await expect(page.getByText('Failed to create API key')).toBeVisible()

  await page.goto('/my-files')
  const buffer = Buffer.from('bytes')
  await page.getByLabel('Choose files').setInputFiles({ name: 'app.apk', mimeType: 'application/zip', buffer })
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByText('Upload failed')).toBeVisible()
})
