import type { Page } from 'playwright/test'

/** Opens the dialog that adds files of the host to a project. */
export async function addExistingFiles(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More ways to add files' }).click()
  await page.getByRole('menuitem', { name: 'Add existing files' }).click()
}
