import type { Page } from 'playwright/test'
import type { TestServer } from '../../support/world/test-server'
import { aHollowFile } from '../../support/world/factories'
import { expect, test } from '../../support/world/page'
import { choose, picked } from '../support/uploading'

const COUNT = 130

/** Public projects of alice's, without a call each. The first ones are at the end of every list. */
async function plantProjects({ inside }: TestServer): Promise<void> {
  const ownerId = inside.users.byName('alice')?.id ?? ''
  const text = { shortDescription: 'One of many', description: '', isPublic: true, projectUrl: null }
  for (let number = 1; number <= COUNT; number++) {
    await inside.projects.create(ownerId, { title: `Project ${number}`, ...text })
  }
}

const plantBuilds = (host: TestServer) =>
  Promise.all(
    Array.from({ length: COUNT }, (_, n) =>
      aHollowFile(host, host.user('alice'), { filename: `build-${n}.apk`, size: 1, isPublic: true }),
    ),
  )

const cards = (page: Page) => page.getByRole('main').getByRole('article')
const end = (page: Page) => page.getByRole('button', { name: 'Show more projects' })

test(`cards of ${COUNT} projects load the next ones near their end, also after a failure and after going back`, async ({
  page,
  host,
  complaints,
}) => {
  await plantProjects(host)
  const call = '**/api/projects?*'
  await page.goto('/browse')
  await expect(cards(page)).toHaveCount(60)
  await expect(page.getByText(`60 of ${COUNT} shown`)).toBeVisible()
  await page.route(call, (route) => route.abort())
  await end(page).scrollIntoViewIfNeeded()
  await expect(page.getByRole('alert')).toContainText('The next projects could not be loaded')
  await expect(cards(page)).toHaveCount(60)
  await page.unroute(call)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(`120 of ${COUNT} shown`)).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  complaints.length = 0

  const card = page.getByRole('link', { name: 'Project 50', exact: true })
  await card.scrollIntoViewIfNeeded()
  await card.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Project 50' })).toBeVisible()
  await page.goBack()
  await expect(card).toBeInViewport()
  await expect(cards(page)).toHaveCount(120)

  await end(page).scrollIntoViewIfNeeded()
  await expect(cards(page)).toHaveCount(COUNT)
  const titles = await cards(page).getByRole('heading').allTextContents()
  expect(new Set(titles).size).toBe(COUNT)
  await expect(end(page)).toHaveCount(0)
})

test('a long list has a button for people who do not scroll', async ({ page, host }) => {
  // Nothing ever intersects the screen.
  await page.addInitScript(() => {
    window.IntersectionObserver = class extends IntersectionObserver {
      override observe() {}
    }
  })
  await plantProjects(host)
  await page.goto('/browse')
  await end(page).focus()
  await page.keyboard.press('Enter')
  await expect(cards(page)).toHaveCount(120)
  await expect(end(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(cards(page)).toHaveCount(COUNT)
})

test('a file can be added to any of many projects', async ({ page, host }) => {
  await plantProjects(host)
  await page.goto('/my-files')
  await choose(page, picked('lantern.apk'))
  await page.getByRole('combobox', { name: 'Add to project' }).fill('Project 1')
  await page.getByRole('option', { name: 'Project 1', exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Add to project' })).toHaveValue('Project 1')
})

test(`tables of ${COUNT} files are turned page by page, also after a page could not be loaded`, async ({
  page,
  host,
  complaints,
}) => {
  await plantBuilds(host)
  for (const [path, call] of [
    ['/apk-builds', '**/api/builds?*offset=50*'],
    ['/public-files', '**/api/files/public?*offset=50*'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(`1–50 of ${COUNT}`)).toBeVisible()
    await page.route(call, (route) => route.abort())
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(page.getByRole('alert')).toContainText('could not be loaded')
    await page.unroute(call)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText(`51–100 of ${COUNT}`)).toBeVisible()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(page.getByText(`101–130 of ${COUNT}`)).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(31)
    await page.reload()
    await expect(page.getByText(`101–130 of ${COUNT}`)).toBeVisible()
    complaints.length = 0
  }
})
