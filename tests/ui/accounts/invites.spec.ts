import { expect } from '../../support/world/page'
import { openSettled } from '../support/settled'
import { test } from '../support/window-world'

test('the host invites a person, who registers with the link while registration is closed', async ({
  page,
  host,
}) => {
  await host.inside.settings.update({ registration_open: false })
  await openSettled(page, '/host/people')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a person' })
  await dialog.getByRole('combobox', { name: 'Tier' }).selectOption('Pro')
  await dialog.getByRole('button', { name: 'Create invite link' }).click()
  const shown = page.getByRole('dialog', { name: 'Invite link' })
  const url = await shown.getByRole('status', { name: 'Invite link' }).innerText()
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('list', { name: 'Open invite links' })).toContainText('Pro')

  const { pathname, search } = new URL(url)
  const context = await page.context().browser()!.newContext({ baseURL: host.url })
  const visitor = await context.newPage()
  await openSettled(visitor, pathname + search)
  await expect(
    visitor.getByText('You are invited to create an account on this host, with the Pro tier.'),
  ).toBeVisible()
  await expect(visitor).toHaveURL('/register')
  await visitor.getByLabel('Username').fill('kim')
  await visitor.getByLabel('Email').fill('kim@example.com')
  await visitor.getByLabel('Password', { exact: true }).fill('secret-and-long')
  await visitor.getByLabel('Confirm password').fill('secret-and-long')
  await visitor.getByRole('button', { name: 'Register' }).click()
  await expect(visitor.getByText('Registration successful! Please log in.')).toBeVisible()
  expect(host.inside.users.byName('kim')?.tier).toBe('Pro')

  await openSettled(visitor, pathname + search)
  await expect(visitor.getByRole('alert')).toContainText(
    'This invite link was already used, or it expired.',
  )
  await context.close()
})
