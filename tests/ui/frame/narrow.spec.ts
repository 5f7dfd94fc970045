import type { Locator } from 'playwright/test'
import { aBuild, aFile, aProject, aPublicProject, expect, test } from '../../support/world/page'
import { choose, picked } from '../support/uploading'
import { walkTo } from '../support/settled'

test.use({ viewport: { width: 360, height: 740 } })

test('on a phone the download is where the thumb is', async ({ page, alice }) => {
  const project = await aPublicProject(alice, { description: 'A long text.\n\n'.repeat(60) })
  await aBuild(alice, project, 'lantern.zip')
  await page.goto('/p/lantern')
  const button = page.getByRole('link', { name: 'Download', exact: true })
  await button.waitFor()
  for (const top of [0, 800]) {
    await page.evaluate((to) => window.scrollTo(0, to), top)
    await expect(button).toBeInViewport({ ratio: 1 })
  }
})

/** The texts in a part of the page that are wider than the part. */
const spillOver = (part: Locator) =>
  part.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect()
    const texts = [...element.querySelectorAll<HTMLElement>('*')].filter(
      ({ children }) => children.length === 0,
    )
    const range = document.createRange()
    return texts
      .filter(
        (text) => getComputedStyle(text).textOverflow !== 'ellipsis' && text.tagName !== 'INPUT',
      )
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
  await page.goto('/dashboard')
  expect(await spillOver(page.getByRole('region', { name: 'Next steps' }))).toEqual([])

  await walkTo(page, '/my-files')
  await page.getByRole('button', { name: `Actions for ${filename}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Close' })).toBeInViewport({
    ratio: 1,
  })
  expect(await spillOver(page.getByRole('dialog'))).toEqual([])
  await page.keyboard.press('Escape')

  await choose(page, picked('lantern.apk'))
  await page.getByRole('combobox', { name: 'Add to project' }).click()
  expect(await spillOver(page.getByRole('listbox'))).toEqual([])
  await page.getByRole('listbox').getByRole('option', { name: title }).click()
  expect(await spillOver(page.getByRole('dialog'))).toEqual([])
})
