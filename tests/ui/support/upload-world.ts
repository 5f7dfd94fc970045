import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Page, TestInfo } from 'playwright/test'
import type { Client } from '../../../renderer/lib/client/api-client'
import { expect, test as base } from '../../support/world/page'
import { Relay } from '../../support/network/line'
import { choose, KB, MB, startUpload } from './uploading'
import { sha256 } from '../../support/system/sha256'

export { expect }

/** The size of one request of an upload. */
export const CHUNK = 512 * KB
/**
 * Four chunks: while the line holds the second, the others wait, also where systems buffer some
 * bytes.
 */
export const LARGE = 2 * MB
/** The first chunk, and a part of the second. */
export const HELD_AFTER = 900 * KB

/**
 * `test` with a host behind a line that the test can cut; pages know the host by the address of the
 * line.
 */
export const test = base.extend<{ line: Relay }>({
  line: async ({ port }, use) => {
    const line = await Relay.open(port)
    await use(line)
    line.close()
  },
  config: async ({ line }, use) =>
    use({ port: 0, publicUrl: line.url, resumableUploads: { above: 256 * KB, chunk: CHUNK } }),
  baseURL: async ({ host, line }, use) => {
    line.leadTo(host.url)
    await use(line.url)
  },
  // A retry before the host has released the last request is answered 409, which browsers log.
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
export async function aLargeFile(
  testInfo: TestInfo,
  name: string,
  bytes = LARGE,
): Promise<LargeFile> {
  const path = testInfo.outputPath(name)
  const content = randomBytes(bytes)
  await writeFile(path, content)
  return { path, name: basename(path), sha256: sha256(content) }
}

/**
 * Waits until the line holds the second chunk of an upload; systems and browser may have buffered
 * the rest.
 */
export async function expectHeld(page: Page, line: Relay): Promise<void> {
  await expect.poll(() => line.toHost.isHolding).toBe(true)
  await expect(page.getByText(/^\d+\.\d\d [KM]B of 2\.00 MB(?! on the host)/)).toBeVisible()
}

/** Chooses a file, which is sent at once until the line holds its second chunk, and decides. */
export async function beginUpload(
  page: Page,
  line: Relay,
  { path, name }: LargeFile,
): Promise<void> {
  line.toHost.holdAfter(HELD_AFTER)
  await choose(page, path)
  await startUpload(page)
  await expectHeld(page, line)
  await expect(page.getByRole('progressbar', { name: `Upload of ${name}` })).toHaveCount(1)
}

/** Leaves the page in the middle of the upload, as closing the tab does. */
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
    .poll(async () =>
      (await alice.files.mine({})).files.map((file) => [file.filename, file.sha256]),
    )
    .toEqual([[name, sha256]])
  expect((await alice.uploads.list({})).uploads).toEqual([])
}
