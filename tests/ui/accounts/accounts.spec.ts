import type { Page } from 'playwright/test'
import { PASSWORD } from '../../support/password'
import { pageOf } from '../support/owner-world'
import { expect, test } from '../support/visitor-world'

async function register(page: Page, fields: { username?: string; email?: string; password?: string; again?: string }) {
  const { username = 'maya', email = 'maya@example.com', password = 'hunter22', again = password } = fields
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(again)
  await page.getByRole('button', { name: 'Register' }).click()
}

async function login(page: Page, username: string, password: string) {
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
}

test('registering leads to the sign-in page with its message, and signing in to the dashboard', async ({ page }) => {
  await page.goto('/register')
  await register(page, {})

  await expect(page).toHaveURL('/login')
  const message = page.getByText('Registration successful! Please log in.')
  await expect(message).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue('maya')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await expect(message).toBeHidden()

  await login(page, 'maya', 'hunter22')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('banner').getByText('maya')).toBeVisible()
})

test('the email address signs in too', async ({ page }) => {
  await page.goto('/login')
  await login(page, 'alice@example.com', PASSWORD)
  await expect(page).toHaveURL('/dashboard')
})

test('the registration form says what is wrong where it is wrong', async ({ page }) => {
  await page.goto('/register')
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByText('Enter a username')).toBeVisible()
  await expect(page.getByText('Enter an email address')).toBeVisible()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused()

  await register(page, { username: 'no spaces', email: 'nobody', password: '12345', again: '12346' })
  await expect(page.getByText('Use 3 to 32 letters, digits, _ or -')).toBeVisible()
  await expect(page.getByText('Enter a valid email address')).toBeVisible()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await expect(page).toHaveURL('/register')
})

test('a name that is taken is said at the name', async ({ page, complaints }) => {
  await page.goto('/register')
  await register(page, { username: 'Alice', email: 'other@example.com' })
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveValue('other@example.com')
  complaints.length = 0
})

test('a wrong password is refused in the words of the host', async ({ page, complaints }) => {
  await page.goto('/login')
  await login(page, 'alice', 'wrong password')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue('alice')
  complaints.length = 0
})

test('a host that does not answer is said so', async ({ page, complaints }) => {
  await page.goto('/login')
  await page.route('**/api/auth/login', (route) => route.abort())
  await login(page, 'alice', PASSWORD)
  await expect(page.getByRole('alert')).toContainText('An error occurred during login')

  await page.goto('/register')
  await page.route('**/api/auth/register', (route) => route.abort())
  await register(page, {})
  await expect(page.getByRole('alert')).toContainText('An error occurred during registration')
  complaints.length = 0
})

test('an answer that says nothing is a failure', async ({ page, complaints }) => {
  const nothing = { status: 502, body: 'Bad Gateway' }
  await page.goto('/login')
  await page.route('**/api/auth/login', (route) => route.fulfill(nothing))
  await login(page, 'alice', PASSWORD)
  await expect(page.getByRole('alert')).toContainText('Login failed')

  await page.goto('/register')
  await page.route('**/api/auth/register', (route) => route.fulfill(nothing))
  await register(page, {})
  await expect(page.getByRole('alert')).toContainText('Registration failed')
  complaints.length = 0
})

test('redirects a signed-in person away from the forms', async ({ browser, host }) => {
  const page = await pageOf(browser, host, 'alice')
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await expect(page).toHaveURL('/dashboard')
  }
  await page.close()
})
