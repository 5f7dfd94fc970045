import type { Page } from 'playwright/test'
import { expect, logIn, pageOf, visitorTest as test } from '../../support/world/page'
import { PASSWORD } from '../../support/world/password'
import { holdBack } from '../support/hold-back'

async function register(
  page: Page,
  fields: { username?: string; email?: string; password?: string; again?: string },
) {
  const {
    username = 'maya',
    email = 'maya@example.com',
    password = 'hunter22',
    again = password,
  } = fields
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(again)
  await page.getByRole('button', { name: 'Register' }).click()
}

test('registering leads to the sign-in page, and signing in by email to the dashboard', async ({
  page,
}) => {
  await page.goto('/register')
  await register(page, {})

  await expect(page).toHaveURL('/login')
  const message = page.getByText('Registration successful! Please log in.')
  await expect(message).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue('maya')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  const button = page.getByRole('button', { name: 'Login' })
  const before = await button.boundingBox()
  await expect(message).toBeHidden()
  expect(await button.boundingBox()).toEqual(before)

  await logIn(page, 'maya@example.com', 'hunter22')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('banner').getByText('maya')).toBeVisible()
})

test('what the host refuses is said in its words, and an empty answer is a failure', async ({
  page,
  complaints,
}) => {
  await page.goto('/register')
  await register(page, { username: 'Alice', email: 'other@example.com' })
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused()
  await page.keyboard.type('a')
  await expect(page.locator('[aria-invalid]'), 'it goes with the mistake').toHaveCount(0)
  await expect(page.getByLabel('Email')).toHaveValue('other@example.com')
  const nothing = { status: 502, body: 'Bad Gateway' }
  await page.route('**/api/auth/register', (route) => route.fulfill(nothing))
  await register(page, {})
  await expect(page.getByRole('alert')).toContainText('Registration failed')

  await page.goto('/login')
  await logIn(page, 'alice', 'wrong password')
  // On the colour of errors, not of success.
  await expect(page.getByRole('alert')).toHaveCSS('background-color', /^color\(srgb 0\.70/)
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue('alice')
  await page.route('**/api/auth/login', (route) => route.fulfill(nothing))
  await logIn(page)
  await expect(page.locator('button[data-loading]')).toHaveCount(0)
  await expect(page.getByRole('alert')).toContainText('Login failed')

  // While the next one is checked, nothing says that it has failed.
  await page.route('**/api/auth/login', () => undefined)
  await logIn(page)
  await expect(page.getByText('Checking …')).toBeVisible()
  await expect(page.getByText('Login failed')).toHaveCount(0)
  complaints.length = 0
})

test('Enter signs in, although the script of the form loads later', async ({ page }) => {
  const send = await holdBack(page, 'account-form')
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Username' }).fill('alice')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  send()
  await expect(page).toHaveURL('/dashboard')
})

test('signing in leads to no other host', async ({ page }) => {
  await page.goto('/login')
  await page.evaluate(() => history.replaceState({ usr: { from: '//host/../guide' } }, ''))
  await page.reload()
  await logIn(page)
  await expect(page).toHaveURL('/guide')
})

test('nothing of a form looks ready before its script', async ({ page }) => {
  const send = await holdBack(page, 'account-form')
  await page.goto('/register')
  const show = page.getByRole('button', { name: 'Show password' }).first()
  await expect(show).toBeDisabled()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  send()
  await expect(page.locator('progress')).toBeVisible()
  await show.click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
})

test('redirects a signed-in person away from the forms', async ({ browser, host }) => {
  const page = await pageOf(browser, host, 'alice')
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await expect(page).toHaveURL('/dashboard')
  }
})
