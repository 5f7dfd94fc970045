import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Page, TestInfo } from 'playwright/test'
import type { Client } from '../../../renderer/lib/api-client'
import { expect, test as base } from './owner-world'
import { Relay } from './relay'
import { choose, MB, startUpload } from './uploading'

export { expect }

/** `test` with a host behind a line that the test can cut; pages know the host by the address of the line. */
export const test = base.extend<{ line: Relay }>({
  line: async ({}, use) => {
    const line = await Relay.open()
    await use(line)
    line.close()
  },
  config: async ({ line }, use) => use({ publicUrl: line.url }),
  baseURL: async ({ host, line }, use) => {
    line.leadTo(host.url)
    await use(line.url)
  },
  // A try that comes before the host has let go of the last one is answered 409 and waits, of which browsers complain.
  page: async ({ page, complaints }, use) => {
    await use(page)
    complaints.splice(0, Infinity, ...complaints.filter((text) => !text.includes('status of 409')))
  },
})

export interface LargeFile {
  path: string
  name: string
  sha256: string
}

/** A file on disk, of random bytes, so that what arrives can be compared. */
export async function aLargeFile(testInfo: TestInfo, name: string, bytes: number): Promise<LargeFile> {
  const path = testInfo.outputPath(name)
  const content = randomBytes(bytes)
  await writeFile(path, content)
  return { path, name: basename(path), sha256: createHash('sha256').update(content).digest('hex') }
}

/** What an upload says that has sent its first 8 MB: where a turn was sent twice, fewer than 12 are its own. */
const GOING_ON = /^([89]|\d\d)\.\d\d MB of \d\d\.00 MB/

/** Waits until an upload has come so far. A busy disk is waited for. */
export const expectGoingOn = (page: Page): Promise<void> =>
  expect(page.getByText(GOING_ON)).toBeVisible({ timeout: 60_000 })

/** Chooses a file and sends it, of which so many bytes get through; then the line holds. */
export async function beginUpload(page: Page, line: Relay, { path, name }: LargeFile, bytes = 12 * MB): Promise<void> {
  await choose(page, path)
  line.toHost.holdAfter(bytes)
  await startUpload(page)
  await expectGoingOn(page)
  await expect(page.getByRole('progressbar', { name: `Upload of ${name}` })).toHaveCount(1)
}

/** Leaves the page in the middle of the upload, as somebody who closes the tab and comes back. */
export async function comeBack(page: Page, line: Relay): Promise<void> {
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto('about:blank')
  line.toHost.open()
  await page.goto('/my-files')
}

/** Where each request begins that sends bytes from now on. */
export function watchOffsets(page: Page): number[] {
  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  return offsets
}

/** The host has exactly this file, byte for byte, and nothing unfinished. */
export async function expectArrived(alice: Client, { name, sha256 }: LargeFile): Promise<void> {
  await expect
    .poll(async () => (await alice.files.mine({})).files.map((file) => [file.filename, file.sha256]))
    .toEqual([[name, sha256]])
  expect((await alice.uploads.list({})).uploads).toEqual([])
}
