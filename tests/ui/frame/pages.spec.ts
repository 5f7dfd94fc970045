import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { desk, objections, objectionsAtEverySize, phone } from '../support/axe'
import { expect, pagesOf, test } from '../support/full-world'
import { openSettled } from '../support/settled'

/** Where `npm run screenshots -- --all` wants pictures, to be looked at. */
const pictures = process.env['SLIPWAY_PICTURES']

/**
 * Two are 1280 pixels at 200 % and at 400 % (WCAG 2.2, 1.4.10), and 320 is the narrowest phone too.
 */
const sizes = [phone, { width: 320, height: 400 }, { width: 640, height: 400 }, desk]

/** What no page may have, at any size. */
async function faultsOf(page: Page): Promise<string[]> {
  const { beyond, cutOff, headings, title } = await page.evaluate(() => ({
    beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    cutOff: [...document.querySelectorAll('header button, main button, main .mantine-Badge-label')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ textContent }) => `cuts off ${textContent}`),
    headings: document.querySelectorAll('h1').length,
    title: document.title,
  }))
  return [
    ...(beyond > 0 ? [`is ${beyond} pixels wider than the screen`] : []),
    ...(headings === 1 ? [] : [`has ${headings} h1`]),
    ...(/^.+ · Slipway$/.test(title) ? [] : [`is called '${title}'`]),
    ...cutOff,
  ]
}

/** Keeps a picture of the page in both themes. */
async function takePictures(page: Page, folder: string, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page
      .locator(`html[data-mantine-color-scheme=${colorScheme}]`)
      .waitFor({ state: 'attached' })
    const path = join(folder, `${name}-${colorScheme}.png`)
    await page.screenshot({ path, fullPage: true, animations: 'disabled' })
  }
}

for (const [person, pages] of Object.entries(pagesOf)) {
  test.describe(`to ${person}`, () => {
    test.use({ person })

    test('every page is in order at every size, and to axe', async ({ page, complaints }) => {
      test.setTimeout((pictures ? 90_000 : 30_000) * Object.keys(pages).length)
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      for (const [name, path] of Object.entries(pages)) {
        await test.step(name, async () => {
          await page.setViewportSize(phone)
          await openSettled(page, path)
          for (const size of sizes) {
            await page.setViewportSize(size)
            await expect.poll(() => faultsOf(page), `${name} on ${size.width} pixels`).toEqual([])
            if (pictures) await takePictures(page, join(pictures, person), `${name}-${size.width}`)
          }
          expect.soft(await objectionsAtEverySize(page), name).toEqual([])
          // A missing page answers 404, which the browser logs as an error.
          if (name.endsWith('not found'))
            complaints.splice(0, Infinity, ...complaints.filter((it) => !it.includes('404')))
        })
      }
    })
  })
}

test.describe('above a page', () => {
  test.use({ person: 'alice' })

  test('axe finds nothing in what buttons open', async ({ page }) => {
    for (const [path, name] of [
      ['/dashboard', 'Menu'],
      ['/projects', 'Create project'],
      ['/api-keys', 'Create API key'],
      ['/projects/lantern/settings', 'Delete project'],
    ] as const) {
      await openSettled(page, path)
      await page.getByRole('button', { name, exact: true }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      expect.soft(await objections(page), name).toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  })
})
