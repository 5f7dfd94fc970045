import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright/test'
import type { FinishedTransfer } from '../../../server/contract'
import { wholeChromium } from '../../../scripts/test/tools/chromium'
import { needTools } from '../../support/system/debian'
import { aBuild, aPublicProject, expect, test as base } from '../../support/world/page'
import { MB } from '../support/uploading'
import { sha256 } from '../../support/system/sha256'

/**
 * `test` on a host that soon drops clients that stop reading, with a browser that has a downloads
 * page.
 */
const test = base.extend<{ chromium: BrowserContext }>({
  config: { rateLimits: true, patience: { idleMs: 4000, headersMs: 15_000 } },
  chromium: async ({ playwright, launchOptions, host }, use, info) => {
    if (wholeChromium() === undefined) await needTools('chromium')
    const options = {
      ...launchOptions,
      executablePath: wholeChromium() ?? 'chromium',
      baseURL: host.url,
    }
    const chromium = await playwright.chromium.launchPersistentContext(
      info.outputPath('profile'),
      options,
    )
    await use(chromium)
    await chromium.close()
  },
})

/**
 * Presses what pauses or resumes the only download; the menu around it looks another in each
 * version of Chromium.
 */
async function press(downloads: Page, label: 'Pause' | 'Resume'): Promise<void> {
  const button = downloads.locator('#pause-or-resume, #pauseOrResume')
  await expect(button).toHaveText(label, { useInnerText: false })
  await button.evaluate((element: HTMLElement) => element.click())
}

test('a paused download resumes after the host hangs up: same bytes, one count', async ({
  chromium,
  alice,
  host,
}) => {
  const bytes = new Uint8Array(randomBytes(48 * MB))
  const { file_id } = await aBuild(alice, await aPublicProject(alice), 'lantern-1.0.zip', { bytes })
  const { settings, counts, transfers: running } = host.inside
  const limit = (bytesPerSecondPerTransfer: number | null) =>
    settings.update({ bytes_per_second_per_transfer: bytesPerSecondPerTransfer })
  const ended: FinishedTransfer[] = []
  running.onChange((transfer) => transfer?.direction === 'download' && ended.push(transfer))
  const [page, downloads] = [await chromium.newPage(), await chromium.newPage()]
  await downloads.goto('chrome://downloads')
  await page.goto('/p/lantern')
  await limit(4 * MB)
  const begun = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download', exact: true }).click()
  const download = await begun

  await press(downloads, 'Pause')
  await expect.poll(() => ended.map(({ outcome }) => outcome)).toEqual(['broken'])
  expect(counts.downloadsOfFile(file_id)).toBe(0)
  await limit(null)
  await press(downloads, 'Resume')

  expect(sha256(await readFile(await download.path()))).toBe(sha256(bytes))
  await expect.poll(() => ended.map(({ outcome }) => outcome)).toEqual(['broken', 'done'])
  // The bytes of both parts: only those in transit at the hang-up were sent twice.
  expect(ended[1]!.bytes).toBeLessThan(1.5 * bytes.length)
  await expect.poll(() => counts.downloadsOfFile(file_id)).toBe(1)
})
