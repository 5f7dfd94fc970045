import type { Page } from 'playwright/test'
import { openSettled } from '../support/settled'
import { aFile, expect, test } from '../../support/world/page'

// What the cache has of the app would load without a host.
test.use({ sharesContext: false })

const bar = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

async function openFromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name, exact: true }).click()
}

test('while the host is stopped a bar says so, and then all resumes', async ({
  page,
  alice,
  host,
  complaints,
}) => {
  const { file_id } = await aFile(alice, 'lantern.apk')
  await openSettled(page, '/my-files')
  const row = page.getByRole('row', { name: /lantern\.apk/ })
  await expect(row).toBeVisible()
  // It loads after the first view.
  await page.locator('.mantine-Notifications-root').first().waitFor({ state: 'attached' })
  const { port } = host
  await host.close()

  await row.getByRole('switch').click()
  const message = page
    .getByRole('alert')
    .filter({ hasText: 'Visibility did not change: the host does not answer' })
  await expect(message).toBeVisible()
  await expect(bar(page, 'The host does not answer. Trying again …')).toBeVisible()
  await expect(row.getByRole('switch')).not.toBeChecked()
  await openFromMenu(page, 'API Docs')
  await expect(page.getByRole('heading', { name: 'Not loaded yet' })).toBeVisible()

  await host.restart({ port })
  await expect(page.getByRole('heading', { level: 1, name: 'API Docs' })).toBeVisible()
  await expect(bar(page, 'The host does not answer')).toHaveCount(0)
  await message.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(async () => (await alice.files.info({ id: file_id })).file.is_public).toBe(true)
  await page.close()
  complaints.length = 0
})

test('without a network the bar says so, and pages load when it is back', async ({
  page,
  context,
  complaints,
}) => {
  await openSettled(page, '/dashboard')
  await page.getByRole('button', { name: 'Menu' }).click()
  const link = page.getByRole('dialog').getByRole('link', { name: 'API Docs' })
  await expect(link).toBeVisible()
  await context.setOffline(true)
  // Chromium may tell the page before it cuts the network.
  await page.evaluate(() => window.dispatchEvent(new Event('offline')))
  await expect(
    bar(page, 'You are offline. Slipway tries again when the network is back.'),
  ).toBeVisible()
  await link.click()
  await expect(page.getByRole('heading', { name: 'Not loaded yet' })).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'API Docs' })).toBeVisible()
  await expect(bar(page, 'You are offline')).toHaveCount(0)
  complaints.length = 0
})

test('notices a network that goes during a test', async ({ page, context, complaints }) => {
  await openSettled(page, '/dashboard')
  const asked = Promise.withResolvers<undefined>()
  const gone = Promise.withResolvers<undefined>()
  await page.route(
    '**/api/host',
    async (route) => {
      asked.resolve(undefined)
      await gone.promise
      await route.fulfill({ json: {} })
    },
    { times: 1 },
  )
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await asked.promise
  await context.setOffline(true)
  gone.resolve(undefined)
  await expect(
    bar(page, 'You are offline. Slipway tries again when the network is back.'),
  ).toBeVisible()
  await context.setOffline(false)
  await expect(bar(page, 'You are offline')).toHaveCount(0)
  complaints.length = 0
})

test('a page whose files an update removed is loaded again, but only once', async ({
  page,
  complaints,
}) => {
  let loads = 0
  page.on('domcontentloaded', () => loads++)
  // A page, and a part beside every page.
  const gone = /\/assets\/(builds-page|message-place)[^/]*\.js$/
  await page.route(gone, (route) => route.fulfill({ status: 404 }))
  await page.goto('/dashboard')
  await expect.poll(() => loads).toBe(2)
  await openFromMenu(page, 'Builds')
  await expect(page.getByRole('heading', { name: 'This page did not load' })).toBeVisible()
  expect(loads).toBe(2)
  await page.unroute(gone)
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Builds' })).toBeVisible()
  complaints.length = 0
})

test('a page that is being left is not loaded again', async ({ page, complaints }) => {
  const [left, arrived] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  let asked = 0
  await page.route(/\/assets\/builds-page[^/]*\.js$/, async (route) => {
    await left.promise
    asked++
    await route.fulfill({ status: 404 })
  })
  await page.route('**/guide', (route) => arrived.promise.then(() => route.continue()))
  await page.goto('/dashboard')
  await openFromMenu(page, 'Builds')
  await page.evaluate(() => void setTimeout(() => location.assign('/guide')))
  await page.waitForRequest('**/guide')
  left.resolve(undefined)
  // Twice at once, and again after a pause.
  await expect.poll(() => asked).toBeGreaterThan(2)
  arrived.resolve(undefined)
  await expect(page.getByRole('heading', { level: 1, name: 'Guide' })).toBeVisible()
  complaints.length = 0
})
