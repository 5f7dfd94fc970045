import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, expect, type Page } from 'playwright/test'
import * as creator from './support/creator'
import { test } from './support/desktop-test'
import { repoRoot } from './support/launch'
import { packageApp, startPackaged } from './support/packaged'
import { sha256 } from './support/transfer'

const apk = join(repoRoot, 'node_modules/android-apidemos/apks/ApiDemos-debug.apk')
const curl = async (...args: string[]) =>
  (await promisify(execFile)('curl', ['-sS', '--fail-with-body', ...args])).stdout

test.skip(process.platform !== 'linux', 'packages for Linux')

/** The page of a packaged app, whose fuses shut Playwright's usual way in. */
async function pageAt(devtools: string): Promise<Page> {
  const context = (await chromium.connectOverCDP(devtools)).contexts()[0]!
  return context.pages()[0] ?? context.waitForEvent('page')
}

test('the packaged app does the main job: register, upload by curl with a key, download the same bytes', async ({
  dataDir,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-packaged-'))
  try {
    const executable = await packageApp(folder)
    const { devtools, end } = await startPackaged(executable, dataDir)
    try {
      const page = await pageAt(devtools)
      await creator.register(page)
      await creator.logIn(page)
      await creator.goTo(page, 'API Keys')
      const key = await creator.createApiKey(page, 'CI')
      const { origin } = new URL(page.url())
      const form = ['-H', `X-API-Key: ${key}`, '-F', `file=@${apk}`, '-F', 'is_public=true']
      const { file } = JSON.parse(await curl(...form, `${origin}/api/files/upload`)) as { file: { file_id: string } }
      const arrived = join(folder, 'arrived.apk')
      await curl('-o', arrived, `${origin}/api/files/public/alice/${file.file_id}/download`)
      expect(sha256(await readFile(arrived))).toBe(sha256(await readFile(apk)))
      expect(await (await fetch(`${origin}/licences.txt`)).text()).toContain('LICENSES.chromium.html')
    } finally {
      expect(await end()).toBe(0)
    }
    expect(await readFile(join(dataDir, 'logs/slipway.log'), 'utf8')).toContain('the host has started')
    await expect(readFile(join(folder, 'linux-unpacked/LICENSES.chromium.html'), 'utf8')).resolves.toContain('Chromium')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
