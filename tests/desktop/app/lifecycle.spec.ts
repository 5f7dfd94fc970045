import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type ElectronApplication } from 'playwright/test'
import { loaded, test } from '../../support/desktop/desktop-test'
import { launch, runToEnd } from '../../support/desktop/app/launch'
import { slipway } from '../../support/world/process'
import { signedIn } from '../../support/world/people'
import { begunDownload, publicFile } from '../../support/desktop/transfer'
import { sha256 } from '../../support/system/sha256'

test.use({ people: ['alice'] })

/**
 * Larger than the socket buffers of both sides, so that the server cannot send it all before it is
 * read.
 */
const LARGE = 20 * 1024 * 1024

/** The exit of the app's process. */
async function endOf(
  app: ElectronApplication,
): Promise<{ code: number | null; signal: string | null }> {
  const [code, signal] = (await once(app.process(), 'exit')) as [number | null, string | null]
  return { code, signal }
}

const setBounds = (app: ElectronApplication, bounds: object) =>
  app.evaluate(
    ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]!.setBounds(wanted),
    bounds,
  )
const getBounds = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getNormalBounds())

/** Waits until the host of this address takes no new connection. */
const closed = (origin: string) =>
  expect
    .poll(() =>
      fetch(`${origin}/api/host`).then(
        () => 'answered',
        () => 'closed',
      ),
    )
    .toBe('closed')

test('a second start shows the first window, which is remembered where it was moved, and ends', async ({
  app,
  page,
  dataDir,
}) => {
  await setBounds(app, { x: 40, y: 50, width: 800, height: 600 })
  await expect
    .poll(() => readFile(join(dataDir, 'window/window.json'), 'utf8').catch(() => ''))
    .toBe('{"bounds":{"x":40,"y":50,"width":800,"height":600},"maximized":false}')
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.hide())
  expect(await runToEnd(['--data', dataDir])).toEqual({ code: 0, stderr: '' })
  await expect
    .poll(() =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((it) => it.isVisible()),
      ),
    )
    .toEqual([true])
  expect(await slipway('--data', dataDir)).toEqual({
    code: 1,
    output: `Slipway cannot start: The data folder ${dataDir} is in use by another Slipway (process ${app.process().pid!})\n`,
  })
  expect(page.isClosed()).toBe(false)
})

test('the window reopens at its last position, or on the screen when that position is gone', async ({
  dataDir,
}) => {
  const bounds = { x: 60, y: 80, width: 900, height: 640 }
  const first = await launch(dataDir)
  await loaded(first)
  await setBounds(first, bounds)
  await first.close()
  const second = await launch(dataDir)
  await loaded(second)
  expect(await getBounds(second)).toEqual(bounds)
  await setBounds(second, { ...bounds, x: 9000, y: 9000 })
  await second.close()
  const third = await launch(dataDir)
  await loaded(third)
  const { x, y } = await getBounds(third)
  await third.close()
  expect([x, y].every((place) => place < 1600)).toBe(true)
})

/** Makes the window wait with its page until `mayLoad`. Runs before the app does. */
const LOAD_LATER = `
require('electron').app.on('browser-window-created', (_event, window) => {
  window.once('ready-to-show', () => (globalThis.isReady = true))
  const load = window.loadURL.bind(window)
  window.loadURL = (url) =>
    new Promise((go) => (globalThis.mayLoad = go)).then(() => load(url))
})`

test('a window that is closed to the tray while it loads stays there', async ({ dataDir }) => {
  const script = join(await mkdtemp(join(tmpdir(), 'slipway-window-')), 'load-later.cjs')
  await writeFile(script, LOAD_LATER)
  const app = await launch(dataDir, { before: ['-r', script] })
  const isWaiting = () => app.evaluate(() => 'mayLoad' in globalThis)
  await expect.poll(isWaiting, { timeout: 30_000 }).toBe(true)

  // A second start shows it.
  expect(await runToEnd(['--data', dataDir])).toEqual({ code: 0, stderr: '' })
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]!.close()
    ;(globalThis as unknown as { mayLoad: () => void }).mayLoad()
  })
  await loaded(app)
  await expect.poll(() => app.evaluate(() => 'isReady' in globalThis)).toBe(true)
  const isVisible = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible())
  expect(await isVisible()).toBe(false)
  await app.close()
})

test('SIGTERM lets a running download finish', async ({ dataDir }) => {
  const app = await launch(dataDir)
  const { origin } = new URL((await loaded(app)).url())
  const alice = await signedIn(origin, 'alice')
  const { url, digest } = await publicFile(origin, alice, 'alice', LARGE)
  const download = await begunDownload(url)
  const ending = endOf(app)
  app.process().kill('SIGTERM')
  await closed(origin)
  expect(sha256(await download.rest())).toBe(digest)
  expect(await ending).toEqual({ code: 0, signal: null })
})

test('quitting lets a running download finish, and a start meanwhile gets its turn afterwards', async ({
  dataDir,
}) => {
  const app = await launch(dataDir)
  const { origin } = new URL((await loaded(app)).url())
  const alice = await signedIn(origin, 'alice')
  const { url, digest } = await publicFile(origin, alice, 'alice', LARGE)
  const download = await begunDownload(url)
  const ending = endOf(app)
  const said: string[] = []
  app.process().stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  await app.evaluate(({ app }) => {
    app.relaunch = () => console.error('RELAUNCH')
    setImmediate(() => app.quit())
  })
  await closed(origin)
  expect(await runToEnd(['--data', dataDir])).toEqual({ code: 0, stderr: '' })
  expect(sha256(await download.rest())).toBe(digest)
  expect(await ending).toEqual({ code: 0, signal: null })
  // The last output of a process may arrive after its end.
  await expect.poll(() => said.join('')).toContain('RELAUNCH')
  expect(said.join('')).not.toContain('uncaught error')
})
