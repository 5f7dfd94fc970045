import type { Locator } from 'playwright/test'
import { aFile, aHollowFile, aProject, expect, test } from '../support/owner-world'
import { choose, picked } from '../support/uploading'

const MANY = 10_000

test.describe.configure({ timeout: 180_000 })

test(`lists of ${MANY} files are shown in pages, and searched as a whole`, async ({ page, host }) => {
  const numbers = Array.from({ length: MANY }, (_, number) => number)
  await Promise.all(numbers.map((number) => aHollowFile(host, 'alice', `build-${number}.apk`, 1)))
  for (const [path, search] of [
    ['/my-files', 'Search your files'],
    ['/public-files', 'Search public files'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('row').nth(50)).toBeVisible()
    expect(await page.getByRole('row').count()).toBeLessThanOrEqual(101)
    await page.getByRole('searchbox', { name: search }).fill('build-7654.')
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(page.getByRole('row', { name: /build-7654\.apk/ })).toBeVisible()
  }
  await page.goto('/apk-builds')
  await expect(page.getByRole('row').nth(50)).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: 'All 10,000 files' })).toBeVisible()
})

/** The texts in a part of the page that are wider than the part. */
const spillOver = (part: Locator) =>
  part.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect()
    const texts = [...element.querySelectorAll<HTMLElement>('*')].filter(({ children }) => children.length === 0)
    const range = document.createRange()
    return texts
      .filter((text) => getComputedStyle(text).textOverflow !== 'ellipsis' && text.tagName !== 'INPUT')
      .filter((text) => {
        range.selectNodeContents(text)
        const box = range.getBoundingClientRect()
        return box.width > 0 && (box.left < left - 1 || box.right > right + 1)
      })
      .map(({ textContent }) => textContent)
  })

test('breaks names without spaces on a phone', async ({ page, alice }) => {
  const title = 'W'.repeat(120)
  await aProject(alice, title, true)
  const filename = `${'n'.repeat(230)}.apk`
  await aFile(alice, filename)
  await page.setViewportSize({ width: 360, height: 740 })

  await page.goto('/dashboard')
  expect(await spillOver(page.getByRole('region', { name: 'Next steps' }))).toEqual([])

  await page.goto('/my-files')
  await page.getByRole('button', { name: `Actions for ${filename}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
  expect(await spillOver(page.getByRole('dialog'))).toEqual([])
  await page.keyboard.press('Escape')

  await choose(page, picked('lantern.apk'))
  await page.getByRole('combobox', { name: 'Add to project' }).click()
  expect(await spillOver(page.getByRole('listbox'))).toEqual([])
  await page.getByRole('option', { name: title }).click()
  expect(await spillOver(page.getByRole('region', { name: 'Upload', exact: true }))).toEqual([])
})
