import { expect, type Page } from 'playwright/test'

const account = { username: 'alice', email: 'alice@example.com', password: 'a password for tests' }

/** Sets the host up, which signs in, too. */
export async function register(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Set up this host' })).toBeVisible()
  await page.getByLabel('Username').fill(account.username)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByLabel('Confirm password').fill(account.password)
  await page.getByRole('button', { name: 'Create the host account' }).click()
  // The page itself, not its address alone: when it comes it closes the menu.
  await expect(page.getByRole('heading', { name: `Welcome, ${account.username}` })).toBeVisible()
}

export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name, exact: true })
    .click()
}

/** Returns the key, which the page shows this one time. */
export async function createApiKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create API key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  return dialog.getByLabel('API key').innerText()
}
