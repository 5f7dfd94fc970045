import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { openSettled, pagesOf, plantFullWorld } from './support/full-world'
import { expect, pageOf } from './support/owner-world'
import { test } from './support/window-world'

/** To be looked at: one folder for each kind of person. */
const pictures = join(import.meta.dirname, '../../test-results/pages')
const widths = { desk: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const

test.describe.configure({ timeout: 180_000 })

/** What no page may have, at any size. */
async function faultsOf(page: Page): Promise<string[]> {
  const { beyond, headings, title } = await page.evaluate(() => ({
    beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    headings: document.querySelectorAll('h1').length,
    title: document.title,
  }))
  return [
    ...(beyond > 0 ? [`is ${beyond} pixels wider than the screen`] : []),
    ...(headings === 1 ? [] : [`has ${headings} h1`]),
    ...(/^.+ · Slipway$/.test(title) ? [] : [`is called '${title}'`]),
  ]
}

/** A page that is not there says so with a 404, which the browser notes as an error. */
const expected = (name: string, message: string) => name.endsWith('not-found') && message.includes('404')

/** Opens every page, keeps a picture of each size and theme, and answers what is wrong. */
async function walk(page: Page, person: string, pages: Record<string, string>): Promise<string[]> {
  const faults: string[] = []
  let here = ''
  page.on('pageerror', (error) => faults.push(`${here} throws: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected(here, message.text())) faults.push(`${here} logs: ${message.text()}`)
  })
  await mkdir(join(pictures, person), { recursive: true })
  for (const [name, path] of Object.entries(pages)) {
    here = name
    for (const [size, viewport] of Object.entries(widths)) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await openSettled(page, path)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
        const file = join(pictures, person, `${name}-${size}-${colorScheme}.png`)
        await page.screenshot({ path: file, fullPage: true, animations: 'disabled' })
      }
      faults.push(...(await faultsOf(page)).map((fault) => `${name} (${size}) ${fault}`))
    }
  }
  return faults
}

test('a visitor finds every page in order', async ({ browser, host, alice }) => {
  const { visitor } = pagesOf(await plantFullWorld(host, alice))
  const page = await browser.newPage({ baseURL: host.url })
  expect(await walk(page, 'visitor', visitor)).toEqual([])
  await page.close()
})

const people = { newcomer: 'new user', bob: 'collaborator', alice: 'owner' } as const

for (const person of ['newcomer', 'bob', 'alice'] as const) {
  test(`the ${people[person]} finds every page in order`, async ({ browser, host, alice }) => {
    const pages = pagesOf(await plantFullWorld(host, alice))[person]
    const page = await pageOf(browser, host, person)
    expect(await walk(page, people[person], pages)).toEqual([])
    await page.close()
  })
}

test('the host finds every page in order', async ({ page, host, alice }) => {
  const pages = pagesOf(await plantFullWorld(host, alice)).host
  expect(await walk(page, 'host', pages)).toEqual([])
})
