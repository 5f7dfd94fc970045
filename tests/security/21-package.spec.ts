import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { chromium, expect } from 'playwright/test'
import { test } from '../desktop/support/desktop-test'
import { filesInAsar, packageApp, startPackaged } from '../desktop/support/packaged'

let folder: string
let executable: string

test.describe.configure({ mode: 'serial' })
test.skip(process.platform !== 'linux', 'packages for Linux')

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-package-'))
  executable = await packageApp(folder)
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

test('what the app does not need is switched off in its binary', async () => {
  const wire = await getCurrentFuseWire(executable)
  const on = (fuse: FuseV1Options) => wire[fuse] === FuseState.ENABLE
  expect({
    runAsNode: on(FuseV1Options.RunAsNode),
    cookieEncryption: on(FuseV1Options.EnableCookieEncryption),
    nodeOptions: on(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    inspectArguments: on(FuseV1Options.EnableNodeCliInspectArguments),
    asarIntegrity: on(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
    onlyFromAsar: on(FuseV1Options.OnlyLoadAppFromAsar),
    ownSnapshot: on(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot),
    fileProtocol: on(FuseV1Options.GrantFileProtocolExtraPrivileges),
  }).toEqual({
    ...{ runAsNode: false, cookieEncryption: true, nodeOptions: false, inspectArguments: false },
    ...{ asarIntegrity: true, onlyFromAsar: true, ownSnapshot: false, fileProtocol: false },
  })
})

test('the app carries its bundles and nothing else', async () => {
  const files = await filesInAsar(join(dirname(executable), 'resources/app.asar'))
  expect(files).toEqual(expect.arrayContaining(['/dist/main/index.js', '/dist/preload/index.cjs', '/package.json']))
  expect(files.filter((name) => !/^\/(dist\/(main|preload|renderer|server)\/.+|package\.json)$/.test(name))).toEqual([])
})

test('it starts, shows its page with the bridge, and ends in order', async ({ dataDir }) => {
  const { devtools, end } = await startPackaged(executable, dataDir)
  try {
    const browser = await chromium.connectOverCDP(devtools)
    const context = browser.contexts()[0]!
    const page = context.pages()[0] ?? (await context.waitForEvent('page'))
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    expect(await page.evaluate(() => typeof (window as unknown as { desktop?: object }).desktop)).toBe('object')
  } finally {
    expect(await end()).toBe(0)
  }
})
