import { objectionsAtEverySize } from '../support/axe'
import { expect, test } from '../support/full-world'

test('the guide works by keyboard, axe finds nothing in it, and Publish leads to My Files', async ({
  page,
}) => {
  await page.goto('/guide')
  const next = page.getByRole('link', { name: 'Next', exact: false })
  await next.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/guide\/first-build$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Publish your first build')

  await page.goto('/guide/updates')
  expect(await objectionsAtEverySize(page)).toEqual([])
  await page.getByRole('link', { name: 'Publish from CI' }).first().click()
  await expect(page).toHaveTitle('Publish from CI · Guide · Slipway')

  await page.getByRole('link', { name: 'Publish files' }).press('Enter')
  await expect(page).toHaveURL(/\/my-files/)
  await expect(page.getByRole('button', { name: 'Choose files to upload' })).toBeFocused()
})
