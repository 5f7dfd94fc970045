import type { Locator } from 'playwright/test'
import { aFile, expect, test } from '../../support/world/page'
import { openSettled } from '../support/settled'

/** Whether it looks different after a click. */
async function showsItsState(control: Locator): Promise<boolean> {
  const before = await control.screenshot({ animations: 'disabled' })
  const wasChecked = await control.isChecked()
  await control.click()
  await expect(control).toBeChecked({ checked: !wasChecked })
  return !before.equals(await control.screenshot({ animations: 'disabled' }))
}

test('switches and checkboxes show their state in the colors of the system', async ({
  page,
  alice,
}) => {
  await aFile(alice, 'lantern.apk')
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await openSettled(page, '/my-files')
  await page.keyboard.press('?')
  const track = page.getByRole('dialog').locator('.mantine-Switch-track')
  const before = await track.screenshot({ animations: 'disabled' })
  await track.click()
  await expect(page.getByRole('switch', { name: 'Single keys' })).not.toBeChecked()
  expect(before.equals(await track.screenshot({ animations: 'disabled' }))).toBe(false)
  await page.keyboard.press('Escape')

  expect(await showsItsState(page.getByRole('checkbox', { name: 'Select lantern.apk' }))).toBe(true)
  expect(await showsItsState(page.getByRole('switch', { name: 'Public: lantern.apk' }))).toBe(true)
})
