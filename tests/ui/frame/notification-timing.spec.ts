import type { Locator, Page } from 'playwright/test'
import { aProject, expect, test } from '../../support/world/page'
import { choose, picked, startUpload } from '../support/uploading'

/** Advances the stopped clock of the page in steps of 50 ms until something appears. */
const passUntil = (page: Page, shown: Locator) =>
  expect
    .poll(async () => {
      await page.clock.runFor(50)
      return shown.isVisible()
    })
    .toBe(true)

/** Stops the clock of the page; the test advances it. */
async function stopTheClock(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 3_600_000)
}

test('a success message disappears after three seconds', async ({ page, alice }) => {
  const { project_id } = await aProject(alice, 'Lantern')
  await page.goto(`/projects/${project_id}/settings`)
  await page.getByLabel('Title').fill('Lantern 2')
  await stopTheClock(page)

  await page.getByRole('button', { name: 'Save changes' }).click()
  const message = page.getByText('Project updated successfully!')
  await passUntil(page, message)
  await page.clock.runFor(1000)

  // The next message takes its place and has three seconds of its own.
  await page.getByLabel('Title').fill('Lantern 3')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await passUntil(page, page.getByText('No changes', { exact: true }))

  await page.clock.runFor(2700)
  await expect(message).toBeVisible()
  await page.clock.runFor(700)
  await expect(message).toBeHidden()
})

test('an upload row gives way to the list after 1.5 seconds', async ({ page }) => {
  await page.goto('/my-files')
  await choose(page, picked('lantern.apk'))
  await stopTheClock(page)
  await startUpload(page)

  const uploads = page.getByRole('region', { name: 'Uploads' })
  await passUntil(page, uploads.getByText('Uploaded', { exact: true }))

  await page.clock.runFor(1300)
  await expect(uploads).toBeVisible()

  await page.clock.runFor(300)
  await passUntil(page, page.getByRole('row', { name: /lantern\.apk/ }))
  await expect(uploads).toBeHidden()
})
