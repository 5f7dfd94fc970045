import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { test } from '../../support/desktop/desktop-test'
import { clickMenu, switchSharing } from '../../support/desktop/app/menu'
import { signedIn } from '../../support/world/people'
import { lanAddress } from '../../support/machines/lan-address'
import { begunDownload, publicFile } from '../../support/desktop/transfer'
import { sha256 } from '../../support/system/sha256'

test.use({ people: ['alice'] })

const LARGE = 20 * 1024 * 1024

/** Status of a request to the machine's network address; undefined without an answer. */
const statusAt = (port: string) =>
  fetch(`http://${lanAddress() ?? '127.0.0.2'}:${port}/api/host`).then(
    ({ status }) => status,
    () => undefined,
  )

test('sharing is switched during a download', async ({ app, page, origin, dataDir }) => {
  const { port } = new URL(origin)
  const alice = await signedIn(origin, 'alice')
  const { url, digest } = await publicFile(origin, alice, 'alice', LARGE)
  const download = await begunDownload(url)
  expect(await statusAt(port)).toBeUndefined()

  expect(await switchSharing(app)).toBe(true)
  expect(await statusAt(port)).toBe(200)
  expect(await page.evaluate(async () => (await fetch('/api/host')).status)).toBe(200)
  expect(await readFile(join(dataDir, 'settings.json'), 'utf8')).toContain('"host": "0.0.0.0"')

  expect(await switchSharing(app)).toBe(false)
  expect(await statusAt(port)).toBeUndefined()
  expect(await readFile(join(dataDir, 'settings.json'), 'utf8')).toContain('"host": "127.0.0.1"')
  expect(sha256(await download.rest())).toBe(digest)
})

test.describe(() => {
  test.use({ sharesApp: true })

  test('the page updates at once', async ({ app, page }) => {
    // A change of the network ends requests: a page that still loads then starts again, and forgets
    // what is put into it.
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => {
      const { desktop } = window as unknown as {
        desktop: { onHostChanged(listener: () => void): () => void }
      }
      const heard = { times: 0 }
      Object.assign(window, { heard, stop: desktop.onHostChanged(() => heard.times++) })
    })
    const times = () =>
      page.evaluate(() => (window as unknown as { heard: { times: number } }).heard.times)
    await switchSharing(app)
    await expect.poll(times).toBe(1)
    await page.evaluate(() => (window as unknown as { stop(): void }).stop())
    await switchSharing(app)
    expect(await times()).toBe(1)
  })

  test('the machine opens its data folder from the menu', async ({ app, page, dataDir }) => {
    await app.evaluate(({ shell }) => {
      const opened: string[] = []
      Object.assign(globalThis, { opened })
      shell.openPath = async (path) => {
        opened.push(path)
        return ''
      }
    })
    await clickMenu(app, 'show-data-folder')
    expect(
      await app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened),
    ).toEqual([dataDir])
    expect(page.isClosed()).toBe(false)
  })
})
