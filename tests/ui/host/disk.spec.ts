import type { Page } from 'playwright/test'
import type { TestServer } from '../../support/world/test-server'
import { expect, pageOf } from '../../support/world/page'
import { test } from '../support/window-world'

/** So much of the disk is free, as far as the host can tell. */
function leave({ inside }: TestServer, free: number): void {
  const { dataFolder, blobs } = inside
  const shown = dataFolder.shown.bind(dataFolder)
  dataFolder.shown = async () => ({ ...(await shown()), disk: { free, total: 100 * GB } })
  blobs.free = () => Promise.resolve(free)
}

const GB = 1024 ** 3
const banner = (page: Page) => page.getByText(/^The disk of this host is almost full/)

test('warns the host on every page below a tenth of free space, with a remedy', async ({
  page,
  host,
  browser,
}) => {
  leave(host, 9 * GB)
  await page.goto('/my-files')
  await expect(banner(page)).toHaveText(
    /almost full: 9\.00 GB left\. Free space, or move the data to a larger disk/,
  )
  await banner(page).getByRole('link', { name: 'move the data to a larger disk' }).click()
  await expect(page).toHaveURL('/host/data')
  const other = await pageOf(browser, host, 'alice')
  await other.goto('/my-files')
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(banner(other)).toBeHidden()
  leave(host, 11 * GB)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(banner(page)).toBeHidden()
})

const TROUBLES = [
  [
    'full',
    'because its disk is full',
    'Free some space on the disk. Slipway then resumes automatically.',
  ],
  [
    'database_full',
    'because the disk of its database is full',
    'Free some space on the disk of PostgreSQL. Slipway then resumes automatically.',
  ],
  ['failing', 'because its disk is failing', 'Check the disk, then restart Slipway.'],
  ['missing', 'is not connected', 'Connect it again. Slipway then resumes automatically.'],
] as const

test('a failing disk: everyone sees the reason', async ({ page, host, browser }) => {
  await page.clock.install()
  // Not in the app window, and without the app.
  const plain = { extraHTTPHeaders: {}, javaScriptEnabled: false }
  const visitor = await browser.newPage({ baseURL: host.url, ...plain })
  for (const [trouble, why, remedy] of TROUBLES) {
    host.inside.setTrouble(trouble)
    await page.goto('/dashboard')
    await expect(page.getByRole('alert').filter({ hasText: why })).toContainText(remedy)
    // Pages of one address are shared for seconds.
    await visitor.goto(`/browse?q=${trouble}`)
    const told = visitor.getByRole('alert').filter({ hasText: why })
    await expect(told).toBeVisible()
    await expect(told).not.toContainText(remedy)
  }
  await visitor.close()
  host.inside.setTrouble(null)
  // The page asks again every five seconds.
  await page.clock.fastForward(5000)
  await expect(page.getByRole('alert')).toBeHidden()
})
