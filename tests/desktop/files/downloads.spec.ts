import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect } from 'playwright/test'
import { test } from '../../support/desktop/desktop-test'
import { signedIn } from '../../support/world/people'
import { publicFile } from '../../support/desktop/transfer'
import { sha256 } from '../../support/system/sha256'

test.use({ people: ['alice'] })

test('a download in the window is saved where the person chooses, under its own name', async ({
  app,
  page,
  origin,
  dataDir,
}) => {
  const alice = await signedIn(origin, 'alice')
  const { url, digest } = await publicFile(origin, alice, 'alice', 300_000)
  const place = join(dataDir, 'saved.zip')
  await app.evaluate(({ session }, path) => {
    // Before ours, so that no dialog waits for a person.
    session
      .fromPartition('persist:slipway')
      .prependListener('will-download', (_event: unknown, item: Electron.DownloadItem) => {
        item.setSavePath(path)
        item.once('done', (_done, state) => {
          Object.assign(globalThis, {
            saved: { state, offered: item.getSaveDialogOptions().defaultPath },
          })
        })
      })
  }, place)
  await page.evaluate((address) => void (location.href = address), url)
  const saved = () =>
    app.evaluate(
      () => (globalThis as unknown as { saved?: { state: string; offered: string } }).saved,
    )
  await expect.poll(saved).toBeDefined()
  const { state, offered } = (await saved())!
  expect(state).toBe('completed')
  expect(basename(offered)).toBe('large.zip')
  expect(sha256(await readFile(place))).toBe(digest)
  expect(page.url()).toBe(`${origin}/`)
})
