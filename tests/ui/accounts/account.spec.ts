import type { Page } from 'playwright/test'
import { PASSWORD } from '../../support/world/password'
import { aMailServer, linkIn } from '../../support/mail/mail-server'
import { answer, clientOf, expect, logIn, test } from '../../support/world/page'
import { openSettled } from '../support/settled'

const NEW_PASSWORD = 'Battery-Staple-9'

/** Opens the dialog from the page of the account. */
async function openDialog(page: Page) {
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await expect(dialog.getByLabel('Current password')).toBeFocused()
  return dialog
}

async function fill(page: Page, current: string, next: string, repetition = next): Promise<void> {
  await page.getByLabel('Current password').fill(current)
  await page.getByLabel('New password', { exact: true }).fill(next)
  await page.getByLabel('Repeat the new password').fill(repetition)
  await page.getByLabel('Repeat the new password').press('Enter')
}

test('changing the password ends every other session and keeps this one', async ({
  page,
  alice,
  host,
  complaints,
}) => {
  await alice.accounts.me({})
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Account' }).click()
  const dialog = await openDialog(page)
  await dialog.getByLabel('New password', { exact: true }).fill('abc')
  await expect(dialog.getByText('Weak. Use 12 characters or more.')).toBeVisible()
  await fill(page, 'not my password', NEW_PASSWORD)
  await expect(dialog.getByText('That is not your current password')).toBeVisible()
  await expect(dialog.getByLabel('Current password')).toBeFocused()
  await expect(dialog.getByLabel('New password', { exact: true })).toHaveValue(NEW_PASSWORD)
  complaints.length = 0
  await fill(page, PASSWORD, NEW_PASSWORD)
  await expect(
    page.getByText('Password changed. You were signed out everywhere else.'),
  ).toBeVisible()
  await expect(dialog).toBeHidden()

  await expect(alice.accounts.me({})).rejects.toMatchObject({ status: 401 })
  // Requests of the page after its session ends would be refused, which the browser logs.
  await openSettled(page, '/my-files')
  await expect(page.getByRole('heading', { name: 'My Files' })).toBeVisible()
  await expect(clientOf(host, 'alice')).rejects.toMatchObject({ code: 'bad_credentials' })
  await page.getByRole('button', { name: 'Logout' }).click()
  await logIn(page, 'alice', NEW_PASSWORD)
  await expect(page).toHaveURL('/dashboard')
})

test('a person changes username and, with the password, email address', async ({ page }) => {
  await page.goto('/account')
  const edit = page.getByRole('button', { name: 'Edit' })
  await edit.click()
  const dialog = page.getByRole('dialog', { name: 'Edit account' })
  await expect(dialog.getByLabel('Username')).toBeFocused()
  await dialog.getByLabel('Username').fill('alicia')
  await dialog.getByLabel('Email').fill('alicia@example.com')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter your current password')).toBeVisible()
  await dialog.getByLabel('Current password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(edit).toBeFocused()
  await expect(page.getByRole('heading', { name: 'alicia' })).toBeVisible()
  await expect(page.getByText('alicia@example.com').first()).toBeVisible()
})

test('the dialog is left by keyboard, or for the sign-in page after the session', async ({
  page,
  complaints,
}) => {
  await page.goto('/account')
  const dialog = await openDialog(page)
  for (let press = 0; press < 8; press++) await page.keyboard.press('Tab')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Change password' })).toBeFocused()

  await openDialog(page)
  await page.context().clearCookies()
  await fill(page, PASSWORD, NEW_PASSWORD)
  await expect(page).toHaveURL('/login')
  await expect(dialog).toBeHidden()
  complaints.length = 0
})

test('a dialog opens with reduced motion, names its form, and centers its loader', async ({
  page,
  complaints,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/account')
  await page.route('**/assets/password-change-*.js', (route) => route.abort())
  const choose = () => page.getByRole('button', { name: 'Change password' }).click()
  // An update may have removed it, so the app first loads the page again.
  await Promise.all([page.waitForEvent('load'), choose()])
  await choose()
  await expect(page.getByRole('alert')).toContainText('The form could not be loaded.')
  complaints.length = 0

  await page.unroute('**/assets/password-change-*.js')
  await page.reload()
  await openDialog(page)

  // No answer comes, so that the button keeps its loader.
  await page.route('**/api/auth/password', () => undefined)
  await fill(page, PASSWORD, NEW_PASSWORD)
  const loader = page.locator('[data-loading] .mantine-Loader-root')
  await expect(loader).toBeVisible()
  const offCenter = await loader.evaluate((element) => {
    const middle = ({ x, y, width, height }: DOMRect) => [x + width / 2, y + height / 2]
    const [own, buttons] = [element, element.closest('button')!].map((it) =>
      middle(it.getBoundingClientRect()),
    )
    return own!.map((at, axis) => Math.round(at - buttons![axis]!))
  })
  expect(offCenter).toEqual([0, 0])
})

test('a person sees their sessions, and ends others', async ({ page, alice, host }) => {
  const third = await clientOf(host, 'alice')
  await alice.accounts.me({})
  await page.goto('/account')
  const rows = page.getByRole('table', { name: 'Where you are signed in' }).getByRole('row')
  await expect(rows).toHaveCount(4)
  const own = rows.filter({ hasText: 'This one' })
  await expect(own).toContainText('Chrome on Linux')
  await expect(own).toContainText('127.0.0.1')
  await expect(own.getByRole('button')).toHaveCount(0)

  await page
    .getByRole('button', { name: /^Sign out node/ })
    .first()
    .click()
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await answer(page, 'Every other browser has to sign in again', 'Sign out everywhere else')
  await expect(rows).toHaveCount(2)
  for (const client of [alice, third])
    await expect(client.accounts.me({})).rejects.toMatchObject({ status: 401 })
})

test('a person asks for emails about what waits, and confirms the address', async ({
  host,
  page,
}) => {
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Emails' })).toBeHidden()

  const mail = await aMailServer()
  await host.inside.settings.update(mail.settings)
  await page.reload()
  const mails = page.getByRole('switch', { name: 'Email me about what waits for me' })
  await expect(mails).not.toBeChecked()
  await mails.click()
  await expect(page.getByText('Open the link in the email to alice@')).toBeVisible()
  await expect.poll(() => mail.got.length).toBe(1)

  await page.goto(linkIn(mail.got[0]!, '/n/'))
  await page.getByRole('button', { name: 'Yes, email me' }).click()
  await page.getByRole('link', { name: "Open alice's account" }).click()
  await expect(page.getByText('Each has a link that stops them.')).toBeVisible()
  await mails.click()
  await expect(page.getByText('at most one an hour.')).toBeVisible()
  await expect(mails).not.toBeChecked()
})
