import type { Page } from 'playwright/test'
import { objections, objectionsAtEverySize } from './support/axe'
import { openSettled, pagesOf, plantFullWorld } from './support/full-world'
import { expect, pageOf } from './support/owner-world'
import { test } from './support/window-world'

test.describe.configure({ timeout: 120_000 })

async function expectAccessible(page: Page, pages: Record<string, string>): Promise<void> {
  const found: string[] = []
  for (const [name, path] of Object.entries(pages)) {
    await openSettled(page, path)
    found.push(...(await objectionsAtEverySize(page, name)))
  }
  expect(found).toEqual([])
}

test('axe finds nothing on the pages of a visitor', async ({ browser, host, alice }) => {
  const { visitor } = pagesOf(await plantFullWorld(host, alice))
  const page = await browser.newPage({ baseURL: host.url })
  await expectAccessible(page, visitor)
  await page.close()
})

/** The pages that look the same to everybody were checked with the visitor. */
const signedIn = ({ landing, ...pages }: Record<string, string>, seen: Record<string, string>) => ({
  ...Object.fromEntries(Object.entries(pages).filter(([name]) => name === 'public-project' || !(name in seen))),
  ...(landing === undefined ? {} : { landing }),
})

const people = { newcomer: 'a new user', bob: 'a collaborator', alice: 'an owner' } as const

for (const person of ['newcomer', 'bob', 'alice'] as const) {
  test(`axe finds nothing on the pages of ${people[person]}`, async ({ browser, host, alice }) => {
    const pages = pagesOf(await plantFullWorld(host, alice))
    const page = await pageOf(browser, host, person)
    await expectAccessible(page, signedIn(pages[person], pages.visitor))
    await page.close()
  })
}

test('axe finds nothing on the pages of the host', async ({ page, host, alice }) => {
  const pages = pagesOf(await plantFullWorld(host, alice)).host
  await expectAccessible(page, pages)
})

test('axe finds nothing in what opens above a page', async ({ browser, host, alice }) => {
  const { projectId } = await plantFullWorld(host, alice)
  const page = await pageOf(browser, host, 'alice')
  const opened: [path: string, button: string][] = [
    ['/dashboard', 'Menu'],
    ['/projects', 'Create project'],
    ['/api-keys', 'Create API key'],
    [`/projects/${projectId}`, 'Show QR code'],
    [`/projects/${projectId}/settings`, 'Delete project'],
  ]
  const found: string[] = []
  for (const [path, name] of opened) {
    await openSettled(page, path)
    await page.getByRole('button', { name, exact: true }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    found.push(...(await objections(page, name)))
  }
  await page.close()
  expect(found).toEqual([])
})
