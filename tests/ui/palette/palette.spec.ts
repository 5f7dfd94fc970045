import type { Page } from 'playwright/test'
import { aFile, aProject, expect, test } from '../../support/world/page'
import { objections } from '../support/axe'
import { openSettled } from '../support/settled'

const field = (page: Page) => page.getByRole('combobox', { name: /^Search projects/ })

test('the palette finds by keyboard, opens, and shows the choice first next time', async ({
  page,
  alice,
}) => {
  const { project_id: id } = await aProject(alice, 'Lantern', true)
  await alice.releases.create({ id, version: '1.5.0-beta.1', channel: 'beta' })
  await aFile(alice, 'lantern.apk')
  await openSettled(page, '/dashboard')
  await page.keyboard.press('Control+k')
  await field(page).fill('lantern')
  const results = page.getByRole('listbox', { name: 'Results' })
  await expect(results.getByRole('option', { name: 'lantern.apk' })).toBeVisible()
  expect(await objections(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/projects/${id}`)
  await expect(field(page)).toBeHidden()

  await page.getByRole('button', { name: /^Search/ }).click()
  await expect(results.getByRole('group').first().getByRole('option')).toContainText(['Lantern'])
  await field(page).fill('promote 1.5')
  await results.getByRole('option', { name: /^Promote 1\.5\.0-beta\.1/ }).click()
  await expect(page.getByText('Promoted 1.5.0-beta.1 to stable')).toBeVisible()
  expect((await alice.releases.byVersion({ id, version: '1.5.0-beta.1' })).release.channel).toBe(
    'stable',
  )

  await page.keyboard.press('Control+k')
  await field(page).fill('new project')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Create project' })).toBeVisible()
})

test('single keys open pages and the search, never in fields', async ({ page, alice }) => {
  // A short list has no search.
  for (let number = 1; number <= 8; number++) await aFile(alice, `notes-${number}.txt`)
  await aFile(alice, 'lantern.apk')
  await openSettled(page, '/dashboard')
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await expect(page).toHaveURL('/my-files')
  const search = page.getByRole('searchbox')
  await expect(search).toBeVisible()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await page.keyboard.type('gp?')
  await expect(search).toHaveValue('gp?')
  await search.blur()

  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.getByRole('switch', { name: 'Single keys' }).click()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await expect(page).toHaveURL(/^[^?]*\/my-files/)
  await field(page).fill('lantern')
  await page.getByRole('option', { name: 'lantern.apk' }).click()
  await expect(page.getByRole('row', { name: /lantern\.apk/ })).toBeVisible()
  await expect(search).toHaveValue('lantern.apk')
})
