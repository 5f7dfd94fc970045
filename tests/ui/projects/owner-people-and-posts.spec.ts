import { aUser } from '../../support/world/factories'
import { aFile, answer, aProject, expect, pageOf, test } from '../../support/world/page'

test('people are added by username or email and removed again', async ({
  page,
  alice,
  host,
  complaints,
}) => {
  await aUser(host, 'bob')
  await aUser(host, 'carol')
  const { project_id } = await aProject(alice, 'Lantern')
  await page.goto(`/projects/${project_id}/people`)
  const field = page.getByRole('textbox', { name: 'Username or email' })
  const add = page.getByRole('button', { name: 'Add', exact: true })
  const people = page.getByRole('list', { name: 'Team' })

  await add.click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Enter a username or an email address' }),
  ).toBeVisible()
  await field.fill('nobody')
  await add.click()
  await expect(page.getByRole('alert').filter({ hasText: 'User not found' })).toBeVisible()
  complaints.length = 0

  await field.fill('bob')
  await add.click()
  await expect(page.getByText('Collaborator added successfully!')).toBeVisible()
  await expect(field).toHaveValue('')
  await field.fill('carol@example.com')
  await add.click()
  await expect(people.getByText('carol')).toBeVisible()
  expect((await alice.collaborators.list({ id: project_id })).collaborators).toEqual([
    'bob',
    'carol',
  ])

  await people.getByRole('combobox', { name: 'Role of carol' }).selectOption('Maintainer')
  await expect(page.getByText('carol is now a maintainer')).toBeVisible()
  expect((await alice.collaborators.list({ id: project_id })).maintainers).toEqual(['carol'])

  await people.getByRole('button', { name: 'Remove bob' }).click()
  await answer(page, 'Remove bob from this project?', 'Remove')
  await expect(page.getByText('Collaborator removed successfully!')).toBeVisible()
  await expect(people.getByText('bob')).toHaveCount(0)
})

test('a collaborator reads everything and changes nothing', async ({ alice, host, browser }) => {
  await aUser(host, 'bob')
  const { project_id } = await aProject(alice, 'Lantern')
  const { file_id } = await aFile(alice, 'lantern.apk')
  await alice.projects.link({ id: project_id, file_id, version: '1.3.0' })
  await alice.releases.withdraw({ id: project_id, version: '1.3.0' })
  await alice.posts.add({ id: project_id, content: 'The first build is here' })
  await alice.collaborators.add({ id: project_id, username: 'bob' })

  const page = await pageOf(browser, host, 'bob')
  await page.goto('/projects')
  await expect(page.getByText('Shared by alice')).toBeVisible()
  await page.getByRole('link', { name: 'Open Lantern' }).click()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(
    page.getByText('Visitors see “not found” until alice makes it public.'),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row', { name: /lantern\.apk/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /Upload|Add existing|Remove/ })).toHaveCount(0)
  const download = await page.request.get(
    `/api/projects/${project_id}/downloads/${file_id}/download`,
  )
  expect(await download.text()).toBe('the bytes of lantern.apk')

  const tabs = page.getByRole('navigation', { name: 'Project' })
  await tabs.getByRole('link', { name: 'Releases' }).click()
  await expect(page.getByRole('article').getByText('Withdrawn', { exact: true })).toBeVisible()
  await expect(
    page
      .getByRole('main')
      .getByRole('button', { name: /Promote|Publish|Actions for|Create release|Add files/ }),
  ).toHaveCount(0)
  await tabs.getByRole('link', { name: 'News' }).click()
  await expect(page.getByText('The first build is here')).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Actions for this post' })).toHaveCount(0)
  await tabs.getByRole('link', { name: 'Team' }).click()
  await expect(page.getByRole('list', { name: 'Team' }).getByText('bob')).toBeVisible()
  await expect(page.getByRole('button', { name: /Add|Remove/ })).toHaveCount(0)
  await tabs.getByRole('link', { name: 'Details' }).click()
  await expect(page.getByText('Address', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /Save|Delete/ })).toHaveCount(0)
  await alice.projects.update({ id: project_id, is_public: true })
  await page.goto(`/projects/${project_id}`)
  await expect(page.getByRole('row', { name: /lantern\.apk/ }).getByText('Private')).toBeVisible()
  await expect(page.getByRole('button', { name: /Make Public/ })).toHaveCount(0)
})

test('a post is added, edited and deleted', async ({ page, alice }) => {
  const { project_id } = await aProject(alice, 'Lantern')
  await page.goto(`/projects/${project_id}/updates`)
  const composer = page.getByRole('region', { name: 'New post' })
  const posts = page.getByRole('article')
  await composer.getByRole('textbox').fill('   ')
  await expect(composer.getByRole('button', { name: 'Add post' })).toBeDisabled()
  await composer.getByRole('textbox').fill('x'.repeat(5001))
  await expect(composer.getByText('5,001 / 5,000')).toBeVisible()
  await composer.getByRole('button', { name: 'Add post' }).click()
  await expect(composer.getByText('A post can have at most 5000 characters')).toBeVisible()

  await page.reload()
  await expect(composer.getByRole('textbox'), 'a draft outlives a reload').toHaveValue(
    'x'.repeat(5001),
  )
  await composer.getByRole('textbox').fill('Version 2 is here: https://example.com/notes.')
  await composer.getByRole('button', { name: 'Add post' }).click()
  await expect(page.getByText('Post added successfully!')).toBeVisible()
  await expect(composer.getByRole('textbox')).toHaveValue('')
  await expect(posts.getByRole('link', { name: 'https://example.com/notes' })).toBeVisible()
  await expect(posts.getByText('edited')).toHaveCount(0)

  await posts.getByRole('button', { name: 'Actions for this post' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await posts.getByRole('textbox', { name: 'Edit post' }).fill('Version 2.1 is here')
  await posts.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Post updated successfully!')).toBeVisible()
  await expect(posts.getByText('Version 2.1 is here')).toBeVisible()
  await expect(posts.getByText('edited')).toBeVisible()

  await posts.getByRole('button', { name: 'Actions for this post' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, 'Delete this post?', 'Delete')
  await expect(page.getByText('Post deleted successfully!')).toBeVisible()
  await expect(posts).toHaveCount(0)
})
