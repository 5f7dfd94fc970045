import type { TestServer } from '../../support/world/test-server'
import { aHollowFile } from '../../support/world/factories'
import { expect, test } from '../../support/world/page'
import { choose, picked } from '../support/uploading'
import { walkTo } from '../support/settled'

const COUNT = 130

/** Public projects of alice's, without a call each. The first ones are at the end of every list. */
async function plantProjects({ inside }: TestServer): Promise<void> {
  const ownerId = inside.users.byName('alice')?.id ?? ''
  const text = {
    shortDescription: 'One of many',
    description: '',
    isPublic: true,
    projectUrl: null,
  }
  for (let number = 1; number <= COUNT; number++) {
    await inside.projects.create(ownerId, { title: `Project ${number}`, ...text })
  }
}

const plantBuilds = (host: TestServer) =>
  Promise.all(
    Array.from({ length: COUNT }, (_, n) =>
      aHollowFile(host, host.user('alice'), {
        filename: `build-${n}.apk`,
        size: 1,
        isPublic: true,
      }),
    ),
  )

test('a file can be added to any of many projects in a table', async ({ page, host }) => {
  await plantProjects(host)
  await page.goto('/my-files')
  await choose(page, picked('lantern.apk'))
  await page.getByRole('combobox', { name: 'Add to project' }).fill('Project 1')
  await page.getByRole('option', { name: 'Project 1', exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Add to project' })).toHaveValue('Project 1')

  await page.goto('/projects')
  const badges = page.getByRole('table').locator('.mantine-Badge-label')
  await expect(badges.first()).toBeVisible()
  const cut = (labels: Element[]) => labels.filter((it) => it.scrollWidth > it.clientWidth).length
  expect(await badges.evaluateAll(cut)).toBe(0)
})

test(`tables of ${COUNT} files are turned page by page, also after a failure`, async ({
  page,
  host,
  complaints,
}) => {
  await plantBuilds(host)
  for (const [path, call] of [
    ['/apk-builds', '**/api/builds/applications?*offset=50*'],
    ['/public-files', '**/api/files/public?*offset=50*'],
  ] as const) {
    const next = page
      .getByRole('button', { name: 'Next page' })
      .or(page.getByRole('link', { name: 'Next' }))
    await walkTo(page, path)
    await expect(page.getByText(`1–50 of ${COUNT}`)).toBeVisible()
    await page.route(call, (route) => route.abort())
    await next.click()
    await expect(page.getByRole('alert')).toContainText('could not be loaded')
    await page.unroute(call)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText(`51–100 of ${COUNT}`)).toBeVisible()
    await next.click()
    await expect(page.getByText(`101–130 of ${COUNT}`)).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(31)
    await expect(page.getByRole('row').first()).toBeInViewport()
    if (path === '/apk-builds')
      await expect(page.getByRole('button', { name: 'Page 3' })).toBeFocused()
    await page.reload()
    await expect(page.getByText(`101–130 of ${COUNT}`)).toBeVisible()
    complaints.length = 0
  }
})
