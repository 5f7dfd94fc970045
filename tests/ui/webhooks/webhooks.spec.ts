import type { Page } from 'playwright/test'
import { aProject, expect, test } from '../../support/world/page'
import { objections } from '../support/axe'

/** Closes the dialog by Escape, and finds the focus on the button that opened it. */
async function leave(page: Page, opener: string): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: opener })).toBeFocused()
}

test('an owner adds a webhook by keyboard, sees why a test did not arrive, and removes it', async ({
  page,
  alice,
}) => {
  const { slug } = await aProject(alice, 'Lantern')
  await page.goto(`/projects/${slug}/settings#webhooks`)
  await expect(page.getByRole('heading', { name: 'Webhooks' })).toBeInViewport()
  const press = (name: string) => page.getByRole('button', { name }).press('Enter')
  const dialog = page.getByRole('dialog')

  await press('Add webhook')
  await expect(dialog.getByRole('combobox', { name: 'Service' })).toBeFocused()
  expect.soft(await objections(page), 'the form').toEqual([])
  await leave(page, 'Add webhook')
  await press('Add webhook')
  await dialog.getByRole('combobox', { name: 'Service' }).selectOption('json')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('CI')
  await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/hook')
  await dialog.getByRole('button', { name: 'Add webhook' }).press('Enter')
  await expect(dialog.getByLabel('Signing secret')).toHaveText(/^whsec_/)
  expect.soft(await objections(page), 'the secret').toEqual([])
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Add webhook' })).toBeFocused()

  await press('Send a test to CI')
  await expect(page.getByText('The message did not arrive.')).toBeVisible()
  await press('Deliveries of CI')
  await expect(dialog.getByText('Failed')).toBeVisible()
  await dialog.getByText('Details', { exact: true }).click()
  expect.soft(await objections(page), 'the deliveries').toEqual([])
  await leave(page, 'Deliveries of CI')
  await press('Change CI')
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('CI')
  await leave(page, 'Change CI')

  await press('Remove CI')
  await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(page.getByText('Webhook removed')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Webhooks' })).toHaveCount(0)
})
