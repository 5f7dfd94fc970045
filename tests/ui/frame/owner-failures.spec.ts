import type { Page } from 'playwright/test'
import { aUser } from '../../support/world/factories'
import { aFile, answer, aProject, expect, test } from '../../support/world/page'
import { walkTo } from '../support/settled'

/**
 * From now on every change is answered by something that is not us: a proxy, say, that has lost the
 * host.
 */
async function loseTheHost(page: Page): Promise<void> {
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({ status: 502, body: 'Bad gateway' }),
  )
}

test('a change that the host does not make says so, and nothing is lost', async ({
  page,
  alice,
  host,
  complaints,
}) => {
  await aUser(host, 'bob')
  const { project_id: id } = await aProject(alice, 'Lantern')
  const { file_id } = await aFile(alice, 'linked.apk')
  await alice.projects.link({ id, file_id })
  await alice.collaborators.add({ id, username: 'bob' })
  await alice.posts.add({ id, content: 'First light' })
  await loseTheHost(page)

  await page.goto('/projects')
  await page.getByRole('button', { name: 'Actions for Lantern' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, 'Its files will not be deleted.', 'Delete project')
  await expect(page.getByText('Failed to delete project')).toBeVisible()

  await walkTo(page, `/projects/${id}`)
  await page.getByRole('button', { name: 'Remove from project linked.apk' }).click()
  await answer(page, 'Remove this file from the project?', 'Remove')
  await expect(page.getByText('Failed to remove file')).toBeVisible()
  await expect(page.getByRole('row', { name: /linked\.apk/ })).toBeVisible()

  const tabs = page.getByRole('navigation', { name: 'Project' })
  await tabs.getByRole('link', { name: 'Team' }).click()
  await page.getByRole('button', { name: 'Remove bob' }).click()
  await answer(page, 'Remove bob from this project?', 'Remove')
  await expect(page.getByText('Failed to remove collaborator')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Team' }).getByText('bob')).toBeVisible()

  await tabs.getByRole('link', { name: 'News' }).click()
  const post = page.getByRole('article')
  await post.getByRole('button', { name: 'Actions for this post' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await post.getByRole('textbox', { name: 'Edit post' }).fill('First light, mended')
  await post.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Failed to update post')).toBeVisible()
  await post.getByRole('button', { name: 'Cancel' }).click()
  await post.getByRole('button', { name: 'Actions for this post' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, 'Delete this post?', 'Delete')
  await expect(page.getByText('Failed to delete post')).toBeVisible()
  await expect(post.getByText('First light')).toBeVisible()

  await tabs.getByRole('link', { name: 'Files' }).click()
  const buffer = Buffer.from('bytes')
  await page
    .getByLabel('Choose files')
    .setInputFiles({ name: 'app.apk', mimeType: 'application/zip', buffer })
  await expect(page.getByText('Upload failed').first()).toBeVisible()
  complaints.length = 0
})
