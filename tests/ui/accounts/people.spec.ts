import type { Page } from 'playwright/test'
import type { TestServer } from '../../support/world/test-server'
import { PASSWORD } from '../../support/world/password'
import { aUser } from '../../support/world/factories'
import { answer, expect } from '../../support/world/page'
import { test } from '../support/window-world'

const account = ({ inside }: TestServer, username: string) => inside.users.byName(username)
const rowOf = (page: Page, username: string) =>
  page.getByRole('row', { name: new RegExp(`${username}@example`) })

/** Holds every call to this address until it is released, and then fails it. */
async function failing(page: Page, address: string) {
  const { promise: held, resolve: letGo } = Promise.withResolvers<undefined>()
  await page.route(address, async (route) => {
    await held
    await route.abort()
  })
  return () => letGo(undefined)
}

test('the host finds people, with what each keeps', async ({ page, alice }) => {
  await alice.files.upload({ file: new File(['x'.repeat(2048)], 'lantern.apk') })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Host', exact: true }).click()
  await page.getByRole('navigation', { name: 'Host' }).getByRole('link', { name: 'People' }).click()
  await expect(page).toHaveURL('/host/people')
  await expect(page).toHaveTitle('People · Slipway')
  const row = rowOf(page, 'alice')
  await expect(row).toContainText('2.00 KB of 100.00 MB')
  await expect(row).toContainText('1 file')
  await expect(row).toContainText('Just now')
  await expect(row.getByRole('switch')).toBeChecked()
  await expect(page.getByText('2 accounts')).toBeVisible()
})

test('a change of tier is saved at once, and reverted when the host fails', async ({
  page,
  host,
  complaints,
}) => {
  await page.goto('/host/people')
  const tier = page.getByRole('combobox', { name: 'Tier of alice' })
  await tier.selectOption('Pro')
  await expect(rowOf(page, 'alice')).toContainText('0 Bytes of 10.00 GB')
  await expect.poll(() => account(host, 'alice')?.tier).toBe('Pro')

  const letGo = await failing(page, '**/api/host/people/*')
  await tier.selectOption('Basic')
  await expect(rowOf(page, 'alice')).toContainText('of 1.00 GB')
  letGo()
  await expect(page.getByRole('alert')).toContainText('Failed to change the tier of alice')
  await expect(tier).toHaveValue('Pro')
  expect(account(host, 'alice')?.tier).toBe('Pro')
  complaints.length = 0
})

test('disabling asks, and ends every session; enabling does not ask', async ({
  page,
  host,
  alice,
  complaints,
}) => {
  await page.goto('/host/people')
  const own = page.getByRole('switch', { name: 'Active: host' })
  await expect(own).toBeChecked()
  await expect(own).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Reset password of host' })).toHaveCount(0)
  const active = page.getByRole('switch', { name: 'Active: alice' })
  const question = 'alice is signed out everywhere'
  await active.click()
  await answer(page, question, 'Cancel')
  await expect(active).toBeChecked()
  await alice.accounts.me({})

  await active.press('Space')
  await answer(page, question, 'Disable account')
  await expect(active).not.toBeChecked()
  await expect(rowOf(page, 'alice')).toContainText('Disabled')
  await expect(page.getByText('alice is disabled')).toBeVisible()
  await expect(alice.accounts.me({})).rejects.toMatchObject({ status: 401 })
  const signIn = () => alice.accounts.login({ username: 'alice', password: PASSWORD })
  await expect(signIn()).rejects.toMatchObject({ code: 'account_disabled' })

  await active.click()
  await expect(page.getByText('alice can sign in again')).toBeVisible()
  await expect.poll(() => account(host, 'alice')?.disabledAt).toBeNull()
  await signIn()

  const letGo = await failing(page, '**/api/host/people/*')
  await active.click()
  await answer(page, question, 'Disable account')
  await expect(active).not.toBeChecked()
  letGo()
  await expect(page.getByRole('alert')).toContainText('Failed to disable alice')
  await expect(active).toBeChecked()
  complaints.length = 0
})

test('a new password is shown once, to copy, and it works', async ({ page, alice }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/host/people')
  await page.getByRole('button', { name: 'Reset password of alice' }).click()
  await answer(page, 'alice chooses a new password within an hour', 'New password now')
  const dialog = page.getByRole('dialog', { name: 'New password of alice' })
  const password = await dialog.getByLabel('New password', { exact: true }).innerText()
  await dialog.getByRole('button', { name: 'Copy password' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(password)
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 400)
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(password)).toHaveCount(0)

  await expect(alice.accounts.me({})).rejects.toMatchObject({ status: 401 })
  await expect(
    alice.accounts.login({ username: 'alice', password: PASSWORD }),
  ).rejects.toMatchObject({ status: 401 })
  await alice.accounts.login({ username: 'alice', password })
})

test('a forgotten password is reset by a link of the host', async ({ page, browser }) => {
  const visitor = await (await browser.newContext()).newPage()
  await page.goto('/host/people')
  await page.getByRole('button', { name: 'Reset password of alice' }).click()
  await answer(page, 'alice chooses a new password within an hour', 'Create link')
  const dialog = page.getByRole('dialog', { name: 'Link for a new password of alice' })
  const link = await dialog.getByLabel('New link', { exact: true }).innerText()

  await visitor.goto(link)
  await expect(visitor.getByText("For alice's account")).toBeVisible()
  await expect(visitor).toHaveURL(/\/new-password$/)
  await visitor.getByLabel('New password', { exact: true }).fill('remembered well')
  await visitor.getByLabel('Repeat the new password').fill('remembered wel')
  await visitor.getByRole('button', { name: 'Set password' }).click()
  await expect(visitor.getByText('Passwords do not match')).toBeVisible()
  await visitor.getByLabel('Repeat the new password').fill('remembered well')
  await visitor.getByRole('button', { name: 'Set password' }).click()
  await expect(visitor.getByText('Password changed. Please log in.')).toBeVisible()
  await visitor.getByLabel('Password', { exact: true }).fill('remembered well')
  await visitor.getByRole('button', { name: 'Login' }).click()
  await expect(visitor).toHaveURL(/\/dashboard$/)

  await visitor.goto(link)
  await expect(visitor.getByText('This link does not work')).toBeVisible()
})

test('registration closes, and reverts when that fails', async ({ page, host, complaints }) => {
  await page.goto('/host/people')
  const open = page.getByRole('switch', { name: 'Let new people register' })
  await expect(open).toBeChecked()
  await open.click()
  await expect(page.getByText('Only people with an invite link can register.')).toBeVisible()
  await expect.poll(() => host.inside.settings.get().registration_open).toBe(false)
  await page.reload()
  await expect(open).not.toBeChecked()

  const letGo = await failing(page, '**/api/host/registration')
  await open.click()
  await expect(open).toBeChecked()
  letGo()
  await expect(page.getByRole('alert')).toContainText('Failed to change registration')
  await expect(open).not.toBeChecked()
  complaints.length = 0
})

test('hundreds of accounts come in pages, and are searched and sorted', async ({ page, host }) => {
  for (let number = 100; number < 250; number++) await aUser(host, `person-${number}`)
  await page.goto('/host/people')
  await expect(page.getByText('152 accounts')).toBeVisible()
  const names = page.getByRole('row').getByText(/^(person-\d+|alice|host)$/)
  await expect(names).toHaveCount(50)
  await page.getByRole('button', { name: 'Page 4' }).click()
  await expect(names).toHaveText(['person-248', 'person-249'])
  await page.reload()
  await expect(names).toHaveText(['person-248', 'person-249'])

  await page.getByRole('searchbox', { name: 'Search people' }).fill('SON-17')
  await expect(page.getByText('10 of 152 accounts')).toBeVisible()
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Newest first')
  await expect(names.first()).toHaveText('person-179')
  await page.getByRole('searchbox', { name: 'Search people' }).fill('nobody')
  await expect(page.getByText('No account has “nobody” in its username or email.')).toBeVisible()
  await page.getByRole('button', { name: 'Show everyone' }).click()
  await expect(names).toHaveCount(50)
})

test.describe('in the window', () => {
  test.use({ person: 'alice' })

  test('only the host account has this page', async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto('/host/people')
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('link', { name: 'API Keys' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Host' })).toHaveCount(0)
    expect(asked.filter((url) => url.includes('/api/host/people'))).toEqual([])
  })
})

test('the host restores an account that its owner deleted, or removes it now', async ({
  page,
  host,
}) => {
  const here = await host.signedIn(host.user('alice'))
  await here.client.accounts.remove({ current_password: PASSWORD })
  await page.goto('/host/people')
  const deleted = page.getByRole('list', { name: 'Deleted accounts' })
  await expect(deleted).toContainText('Deleted, 7 days left')
  await deleted.getByRole('button', { name: 'Restore alice' }).click()
  await answer(page, 'Restore alice', 'Restore account')
  await expect(deleted).toBeHidden()
  await expect(rowOf(page, 'alice')).toBeVisible()

  const again = await host.signedIn(host.user('alice'))
  await again.client.accounts.remove({ current_password: PASSWORD })
  await page.reload()
  await deleted.getByRole('button', { name: 'Remove alice now' }).click()
  await answer(page, 'Remove alice now', 'Remove permanently')
  await expect(page.getByText('alice is removed permanently')).toBeVisible()
  await expect(deleted).toBeHidden()
  expect(host.inside.users.deleted.all()).toEqual([])
})
