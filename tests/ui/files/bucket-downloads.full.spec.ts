import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright/test'
import { noEngine, startEngine, type Engine } from '../../support/bucket/engine'
import { proxyFromOutside, trustsProxy } from '../../support/network/from-outside'
import { desk, objections, phone } from '../support/axe'
import { aBuild, aPublicProject, expect, test as base, VISITOR } from '../../support/world/page'
import { MB } from '../support/uploading'

const bytes = new Uint8Array(randomBytes(24 * MB))

let engine: Engine
base.skip(noEngine !== undefined, noEngine ?? '')
base.beforeAll(async () => {
  engine = await startEngine()
})
base.afterAll(() => engine.close())

/** `test` as a visitor from outside, of a host with a build in a bucket. */
const test = base.extend<{ fileId: string }>({
  person: VISITOR,
  config: trustsProxy,
  baseURL: async ({ host }, use) => {
    const { url, close } = await proxyFromOutside(host.port)
    await use(url)
    await close()
  },
  fileId: async ({ host, alice }, use) => {
    const project = await aPublicProject(alice)
    const { file_id } = await aBuild(alice, project, 'lantern-1.0.zip', { bytes, version: '1.0' })
    const { publicCopies } = host.inside
    const choice = { ...(await engine.makeBucket()), least_bytes: MB, seconds: 3600 }
    await publicCopies.setUp({ ...choice, bytes_per_second: null }, engine.keys)
    await expect.poll(() => publicCopies.view().state).toBe('complete')
    await use(file_id)
  },
})

const isWhole = async (download: Download) => (await readFile(await download.path())).equals(bytes)

async function downloadBy(page: Page, name: string | RegExp): Promise<Download> {
  const begun = page.waitForEvent('download')
  await page.getByRole('link', { name, exact: typeof name === 'string' }).click()
  return begun
}

for (const [visitor, javaScriptEnabled, viewport] of [
  ['a visitor on a computer', true, desk],
  ['a visitor on a phone without scripts', false, phone],
] as const) {
  test.describe(visitor, () => {
    test.use({ javaScriptEnabled })

    test('downloads from the bucket, or from the host', async ({
      page,
      host,
      fileId,
      baseURL,
    }, info) => {
      await page.setViewportSize(viewport)
      await page.goto('/p/lantern')
      const fast = await downloadBy(page, 'Download')
      expect([fast.suggestedFilename(), new URL(fast.url()).origin]).toEqual([
        'lantern-1.0.zip',
        engine.endpoint,
      ])
      expect(await isWhole(fast)).toBe(true)

      await page.getByText('Trouble downloading?').click()
      await expect(page.getByText('download it from this host')).toBeVisible()
      await expect(page.getByText('counted when handed to the bucket')).toBeVisible()
      await page.screenshot({ path: info.outputPath('trouble.png'), fullPage: true })
      if (javaScriptEnabled) expect(await objections(page)).toEqual([])
      const slow = await downloadBy(page, /lantern-1\.0\.zip/)
      expect([slow.suggestedFilename(), slow.url()]).toEqual([
        'lantern-1.0.zip',
        `${baseURL}/p/lantern/releases/1.0/lantern-1.0.zip?from=host`,
      ])
      expect(await isWhole(slow)).toBe(true)
      expect(host.inside.counts.downloadsOfFile(fileId)).toBe(1)
      const width = await page
        .evaluate(() => document.documentElement.scrollWidth)
        .catch(() => viewport.width)
      expect(width).toBeLessThanOrEqual(viewport.width)
    })
  })
}
