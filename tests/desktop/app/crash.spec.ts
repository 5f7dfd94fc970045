import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type ElectronApplication } from 'playwright/test'
import { loaded, test } from '../../support/desktop/desktop-test'
import { launch } from '../../support/desktop/app/launch'
import { signedIn } from '../../support/world/people'
import { begunDownload, publicFile } from '../../support/desktop/transfer'
import { sha256 } from '../../support/system/sha256'

test.use({ people: ['alice'] })

const LARGE = 20 * 1024 * 1024

/** Ends the process of the page, as a fault in Chromium would. */
const crashPage = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer(),
  )
/**
 * The contents of the window, from the main process, as Playwright loses a crashed page. A page
 * that has just crashed never answers; the next page load ends the question without a result.
 */
const shown = (app: ElectronApplication, script: string) =>
  app.evaluate(({ BrowserWindow }, code) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!
    return new Promise<string>((resolve) => {
      const end = (text: string) => {
        webContents.off('dom-ready', isAnother)
        resolve(text)
      }
      const isAnother = () => end('')
      webContents.once('dom-ready', isAnother)
      webContents.executeJavaScript(code).then(end, isAnother)
    })
  }, script)
const HEADING = `document.querySelector('h1')?.textContent ?? ''`
const throwLater = (app: ElectronApplication) =>
  app.evaluate(() => {
    setImmediate(() => {
      throw new Error('thrown by the test')
    })
  })
const logOf = (dataDir: string) => readFile(join(dataDir, 'logs/slipway.log'), 'utf8')

test('a page that crashed is loaded again; one that keeps crashing says so and leads back', async ({
  dataDir,
}) => {
  const app = await launch(dataDir)
  const { origin } = new URL((await loaded(app)).url())
  for (let crash = 1; crash <= 4; crash++) {
    await crashPage(app)
    await expect.poll(() => logOf(dataDir)).toContain(`"crashes":${crash}`)
    const heading = crash <= 3 ? /\S/ : /^This page keeps crashing$/
    await expect.poll(() => shown(app, HEADING), { timeout: 30_000 }).toMatch(heading)
    expect((await fetch(`${origin}/api/host`)).status).toBe(200)
  }
  await shown(app, `document.querySelector('a').click()`)
  await expect.poll(() => shown(app, `location.origin`)).toBe(origin)
  await expect.poll(() => shown(app, `typeof window.desktop`)).toBe('object')
  await app.close()
})

test('logs an uncaught error, lets downloads finish, and ends the app', async ({ dataDir }) => {
  const app = await launch(dataDir)
  const { origin } = new URL((await loaded(app)).url())
  const alice = await signedIn(origin, 'alice')
  const { url, digest } = await publicFile(origin, alice, 'alice', LARGE)
  const download = await begunDownload(url)
  const ending = once(app.process(), 'exit')
  await throwLater(app)
  await expect.poll(() => logOf(dataDir)).toContain('thrown by the test')
  expect(sha256(await download.rest())).toBe(digest)
  expect(await ending).toEqual([1, null])
  // It ended in order, so there was nothing to recover.
  const next = await launch(dataDir)
  await expect((await loaded(next)).getByText('did not shut down cleanly')).toHaveCount(0)
  await next.close()
})

test('asks the person: whether to load a page that does not answer, and to restart after a crash', async ({
  dataDir,
}) => {
  const app = await launch(dataDir, { dialogs: true })
  await loaded(app)
  await app.evaluate(({ BrowserWindow, dialog }) => {
    const load = (...args: unknown[]) =>
      Promise.resolve({
        response: (args.at(-1) as { buttons: string[] }).buttons.indexOf('Reload'),
      })
    Object.assign(dialog, { showMessageBox: load })
    BrowserWindow.getAllWindows()[0]!.emit('unresponsive')
  })
  await expect.poll(() => logOf(dataDir)).toContain('the page crashed')
  await expect.poll(() => shown(app, HEADING), { timeout: 30_000 }).toMatch(/\S/)

  const ending = once(app.process(), 'exit')
  await app.evaluate(({ app, dialog }) => {
    Object.assign(dialog, { showMessageBox: () => Promise.resolve({ response: 0 }) })
    Object.assign(app, {
      relaunch: (given: { args: string[] }) => console.error(`RELAUNCH ${given.args.join(' ')}`),
    })
  })
  const said: string[] = []
  app.process().stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  await throwLater(app)
  expect(await ending).toEqual([1, null])
  // The last output of a process may arrive after its end.
  await expect.poll(() => said.join('')).toMatch(/RELAUNCH .*--data .*--after-error/)
})

test('nothing confirmed is lost when the app is killed, and the next start says once what it recovered, but not after a shutdown', async ({
  dataDir,
}) => {
  const app = await launch(dataDir)
  const { origin } = new URL((await loaded(app)).url())
  const alice = await signedIn(origin, 'alice')
  const { url, digest } = await publicFile(origin, alice, 'alice', 300_000)
  const ending = once(app.process(), 'exit')
  app.process().kill('SIGKILL')
  await ending
  const next = await launch(dataDir)
  const page = await loaded(next)
  const notice = page
    .getByRole('status')
    .filter({ hasText: 'Slipway did not shut down cleanly last time.' })
  await expect(notice).toContainText(/All saved data is intact: \d+ changes were replayed\./)
  await notice.getByRole('button', { name: 'Dismiss message' }).click()
  await expect(notice).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(notice).toHaveCount(0)
  const response = await fetch(url.replace(origin, new URL(page.url()).origin))
  expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(digest)

  // As Windows shuts down: it does not let the app quit.
  await next.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.emit('session-end', {}),
  )
  const shutDown = once(next.process(), 'exit')
  next.process().kill('SIGKILL')
  await shutDown
  const last = await launch(dataDir)
  await loaded(last)
  expect(await shown(last, 'window.desktop.startReport()')).toBe(null)
  await last.close()
})
