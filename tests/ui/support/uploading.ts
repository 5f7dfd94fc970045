import { expect, type CDPSession, type JSHandle, type Page } from 'playwright/test'

/** Bytes. */
export const MB = 1024 ** 2

/** A file in the picker. */
export const picked = (name: string, size = 1000) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.alloc(size, 7),
})

/** Chooses files, as in the system's dialog. */
export const choose = (page: Page, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.getByLabel('Choose files').setInputFiles(files)

/** Holds files over the page until it says that it takes them. */
export const hold = (page: Page, dataTransfer: JSHandle<DataTransfer>) =>
  expect(async () => {
    await page.dispatchEvent('main', 'dragenter', { dataTransfer })
    await expect(page.getByText('Drop to upload')).toBeVisible({ timeout: 500 })
  }).toPass()

/** Presses the button under the chosen files. */
export const startUpload = (page: Page) => page.getByRole('button', { name: 'Upload', exact: true }).click()

/** What one session slows down, another does not make fast again. */
const slowing = new WeakMap<Page, Promise<CDPSession>>()

/** Sends at so many bytes per second from now on; -1: as fast as it goes. */
export async function slowDown(page: Page, uploadThroughput: number): Promise<void> {
  const opening = slowing.get(page) ?? page.context().newCDPSession(page)
  slowing.set(page, opening)
  const session = await opening
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput }
  await session.send('Network.emulateNetworkConditions', conditions)
}
