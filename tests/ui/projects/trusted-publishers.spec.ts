import { aProject, expect, test } from '../../support/world/page'
import { objections } from '../support/axe'

test('an owner trusts the jobs of a repository by keyboard, and ends that', async ({
  page,
  alice,
}) => {
  const { slug } = await aProject(alice, 'Lantern')
  await page.goto(`/projects/${slug}/settings#publishers`)
  const dialog = page.getByRole('dialog')
  const submit = dialog.getByRole('button', { name: 'Add trusted publisher' })

  await page.getByRole('button', { name: 'Add trusted publisher' }).press('Enter')
  await expect(dialog.getByRole('combobox', { name: 'Forge' })).toBeFocused()
  await dialog.getByRole('combobox', { name: 'Forge' }).selectOption('gitlab')
  await expect(dialog.getByLabel('Issuer of its tokens')).toHaveValue('https://gitlab.com')
  await dialog.getByRole('textbox', { name: 'Repository' }).fill('lantern')
  await dialog.getByRole('combobox', { name: 'Only jobs of' }).selectOption('environment')
  await submit.press('Enter')
  await expect(dialog.getByText('Enter owner/name')).toBeVisible()
  await expect(dialog.getByText('Name the environment')).toBeVisible()
  expect.soft(await objections(page), 'the form').toEqual([])

  await dialog.getByRole('textbox', { name: 'Repository' }).fill('lea/lantern')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('release')
  await submit.press('Enter')
  const table = page.getByRole('table', { name: 'Trusted publishers' })
  await expect(table).toContainText('lea/lantern')
  await expect(table).toContainText('environment release · gitlab.com')
  await expect(page.getByText('This host has no public address')).toBeVisible()
  expect.soft(await objections(page), 'the table').toEqual([])

  await page.getByRole('button', { name: 'Remove lea/lantern' }).press('Enter')
  await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(page.getByText('Trusted publisher removed')).toBeVisible()
  await expect(table).toHaveCount(0)
})
