import { basename } from 'node:path'
import { expect, type Page } from 'playwright/test'
import { drop } from '../../support/drop'

const account = { username: 'alice', email: 'alice@example.com', password: 'a password for tests' }

/** The actions of a creator in the window. */
export async function register(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Get Started Free' }).first().click()
  await page.getByLabel('Username').fill(account.username)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByLabel('Confirm password').fill(account.password)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByText('Registration successful! Please log in.')).toBeVisible()
}

export async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Username').fill(account.username)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Login' }).click()
  // The page itself, not its address alone: when it comes it closes the menu.
  await expect(page.getByRole('heading', { name: `Welcome, ${account.username}` })).toBeVisible()
}

export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
}

/** Chooses a file in the dialog that the drop zone opens, and uploads it. */
export async function uploadByPicker(page: Page, path: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'click to browse' }).click()
  await (await choosing).setFiles(path)
  await startUpload(page, basename(path))
}

/** Drops a file, and uploads it. */
export async function uploadByDrop(page: Page, path: string): Promise<void> {
  await drop(page, [path])
  await startUpload(page, basename(path))
}

async function startUpload(page: Page, filename: string): Promise<void> {
  await page.getByRole('region', { name: 'Upload' }).getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByText('File uploaded successfully!').first()).toBeVisible()
  await expect(visibilityOf(page, filename)).toBeVisible()
}

const visibilityOf = (page: Page, filename: string) => page.getByRole('switch', { name: `Public: ${filename}` })

export async function makePublic(page: Page, filename: string): Promise<void> {
  await visibilityOf(page, filename).click()
  await expect(visibilityOf(page, filename)).toBeChecked()
}

export async function createProject(page: Page, title: string, shortDescription: string): Promise<void> {
  await page.getByRole('button', { name: 'Create project' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel('Short description').fill(shortDescription)
  await dialog.getByRole('switch', { name: 'Public' }).click()
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByText('Project created successfully!')).toBeVisible()
}

export async function addFile(page: Page, filename: string, version: string, platform: string): Promise<void> {
  await page.getByRole('button', { name: 'Add existing files' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: filename }).check()
  await dialog.getByLabel('Version').fill(version)
  await dialog.getByLabel('Platform').fill(platform)
  await page.getByRole('option', { name: platform, exact: true }).click()
  await dialog.getByRole('button', { name: 'Add to project' }).click()
  await expect(page.getByText('Successfully added 1 file(s) to project')).toBeVisible()
}

/** Returns the key, which the page shows this one time. */
export async function createApiKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create API key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  return dialog.getByLabel('API key').innerText()
}
