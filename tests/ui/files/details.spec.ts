import { aBuild, aPublicProject, expect, pageOf, test } from '../../support/world/page'
import { openSettled } from '../support/settled'

test('numbers, owner, dates and website stand beside a project', async ({
  browser,
  page: _,
  host,
  alice,
}) => {
  const { slug, project_id } = await aPublicProject(alice)
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
    await expect(
      side.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd[1]'),
    ).toHaveText(value)
  }
  await expect(side.getByRole('link', { name: 'lantern.example' })).toHaveAttribute(
    'rel',
    /noopener/,
  )
  await page.close()

  const own = await pageOf(browser, host, 'alice')
  await own.route('**/collaborators', (route) =>
    route.fulfill({ status: 400, json: { success: false } }),
  )
  await own.goto(`/projects/${slug}/people`)
  await expect(own.getByRole('list', { name: 'Team' }).getByText('alice')).toBeVisible()
  await expect(
    own.getByRole('list', { name: 'Team' }).getByRole('listitem', { name: 'Loading' }),
  ).toHaveCount(0)
  await expect(own.getByRole('alert'), 'people that cannot be loaded are passed over').toHaveCount(
    0,
  )
  await own
    .getByRole('navigation', { name: 'Project' })
    .getByRole('link', { name: 'Settings' })
    .click()
  const details = own.getByRole('region', { name: 'Details' })
  for (const text of [
    'alice',
    `/p/${slug}`,
    'https://lantern.example/about',
    'Created',
    'Updated',
  ]) {
    await expect(details.getByText(text, { exact: true }).first()).toBeVisible()
  }
  await expect(own.getByRole('region', { name: 'API' })).toContainText(project_id)
})

test('only the author of a post can edit and delete it', async ({
  browser,
  page: _,
  host,
  alice,
}) => {
  const { slug } = await aPublicProject(alice)
  await alice.posts.add({ id: slug, content: 'The first build' })
  for (const [person, count] of [
    ['alice', 1],
    ['host', 0],
  ] as const) {
    const page = await pageOf(browser, host, person)
    await openSettled(page, `/p/${slug}`)
    await expect(page.getByText('The first build')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Actions for this post' })).toHaveCount(count)
  }
})
