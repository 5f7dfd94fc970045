import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { upload } from '../../support/world/upload'
import { appImage, laterBlocks, someBlocks } from '../../support/packages/app-image'
import { cacheOf, updateItself } from '../../support/desktop/app/updating-app'
import { test as base } from '../../support/desktop/desktop-test'
import { startPublisher } from '../../support/desktop/another-host'

const SIZE = 8 * 1024 * 1024
/** More than the 64 ranges that hosts often allow. */
const CHANGES = 80

interface Publisher {
  /** What the developer writes into the configuration of the app. */
  url: string
  /** Uploads a build to the project, as `slipway push` does. Nothing else is uploaded. */
  publish: (version: string, filename: string, bytes: Buffer) => Promise<void>
  /** The bytes of all finished downloads of these files, as the host shows them. */
  sent: (extension: string) => Promise<number>
}

/** `test` with a Slipway host and the project of a developer. */
const test = base.extend<{ publisher: Publisher }>({
  publisher: async ({ dataDir }, use) => {
    const { host, client, browser, project } = await startPublisher(
      join(dataDir, 'another-host'),
      'Rocket',
    )
    await use({
      url: `${host.url}/p/${project.slug}/feeds/electron`,
      publish: async (version, filename, bytes) => {
        const form = { is_public: 'true', project_id: project.slug, version }
        await upload(browser.fetch, new File([new Uint8Array(bytes)], filename), form)
      },
      sent: async (extension) => {
        const { recent } = (await client.activity.now({})).activity
        const downloads = recent.filter(
          (it) => it.direction === 'download' && it.filename?.endsWith(extension),
        )
        return downloads.reduce((sum, { bytes }) => sum + bytes, 0)
      },
    })
    await host.stop()
  },
})

test.skip(
  process.platform !== 'linux',
  'the updater of Linux, and that of Windows with its own switch for tests',
)

test('an AppImage of another developer updates itself on the generated feed, by the blocks that differ', async ({
  dataDir,
  publisher: { url, publish, sent },
}) => {
  const blocks = someBlocks()
  const [old, next] = [appImage(blocks), appImage(laterBlocks(blocks))]
  await publish('1.0.0', 'Rocket-1.0.0.AppImage', old.bytes)
  await publish('1.1.0', 'Rocket-1.1.0.AppImage', next.bytes)
  const installed = join(dataDir, 'Rocket.AppImage')
  await writeFile(installed, old.bytes, { mode: 0o755 })

  const { log } = await updateItself({ folder: dataDir, feed: url, appImage: installed })

  expect(log).toContain('Found version 1.1.0')
  expect((await readFile(installed)).equals(next.bytes)).toBe(true)
  expect(await sent('.AppImage')).toBeLessThan(next.bytes.length / 5)
})

test('an app for Windows updates by the block maps that the host makes', async ({
  dataDir,
  publisher: { url, publish, sent },
}) => {
  const [old, next] = [randomBytes(SIZE), Buffer.alloc(SIZE)]
  old.copy(next)
  for (let change = 0; change < CHANGES; change++)
    randomBytes(100).copy(next, change * (SIZE / CHANGES) + 5000)
  await publish('1.0.0', 'Rocket Setup 1.0.0.exe', old)
  await publish('1.1.0', 'Rocket Setup 1.1.0.exe', next)
  await mkdir(cacheOf(dataDir), { recursive: true })
  await writeFile(join(cacheOf(dataDir), 'installer.exe'), old)
  for (const version of ['1.0.0', '1.1.0']) {
    const map = `${url}/${version}/Rocket%20Setup%20${version}.exe.blockmap`
    await expect.poll(async () => (await fetch(map)).status, { timeout: 60_000 }).toBe(200)
  }

  const { log, file } = await updateItself({ folder: dataDir, feed: url })

  expect(log).toContain('Found version 1.1.0')
  expect(log).toMatch(/To download: [\d.,]+ KB/)
  expect((await readFile(file)).equals(next)).toBe(true)
  const bytes = await sent('.exe')
  expect(bytes).toBeGreaterThan(CHANGES * 8 * 1024)
  expect(bytes).toBeLessThan(SIZE / 2)
})
