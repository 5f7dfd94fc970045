import { expect, type CDPSession, type JSHandle, type Page } from 'playwright/test'

/** Bytes. */
export const KB = 1024
export const MB = 1024 ** 2

/** A file in the picker. */
export const picked = (name: string, size = 1000) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.alloc(size, 7),
})

/** Chooses files, as in the system's dialog. */
export const choose = (
  page: Page,
  files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0],
) => page.getByLabel('Choose files').setInputFiles(files)

/**
 * Holds files over the page until it says that it takes them. `event`: what the page hears of it; a
 * browser repeats `dragover` as long as they are there.
 */
export const hold = (
  page: Page,
  dataTransfer: JSHandle<DataTransfer>,
  event: 'dragenter' | 'dragover' = 'dragenter',
) =>
  expect(async () => {
    await page.dispatchEvent('main', event, { dataTransfer })
    await expect(page.getByText(/^Drop to (upload|publish)$/)).toBeVisible({ timeout: 500 })
  }).toPass()

/** Presses the button under the chosen files. */
export const startUpload = (page: Page) =>
  page.getByRole('button', { name: 'Upload', exact: true }).click()

/** The values of a bar from its appearance until it disappears; call it before it appears. */
export const watchProgress = (page: Page, name: string): Promise<number[]> =>
  page.evaluate(
    (label) =>
      new Promise<number[]>((resolve) => {
        const values: number[] = []

        const observer = new MutationObserver(() => {
          const shown = document.querySelector(`[role="progressbar"][aria-label="${label}"]`)
          if (shown) values.push(Number(shown.getAttribute('aria-valuenow')))
          else if (values.length > 0) {
            observer.disconnect()
            resolve(values)
          }
        })
        const attributeFilter = ['aria-valuenow']
        observer.observe(document, { subtree: true, childList: true, attributeFilter })
      }),
    name,
  )

/** One session per page: another session cannot lift its limit. */
const slowing = new WeakMap<Page, Promise<CDPSession>>()

/** Limits the upload to so many bytes per second; -1: no limit. */
export async function slowDown(page: Page, uploadThroughput: number): Promise<void> {
  const opening = slowing.get(page) ?? page.context().newCDPSession(page)
  slowing.set(page, opening)
  const session = await opening
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput }
  await session.send('Network.emulateNetworkConditions', conditions)
}
