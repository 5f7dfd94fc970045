import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { requireOwnPage } from '../../../main/window/own-origin'
import { desktopChannels, ORIGIN_ARGUMENT } from '../../../server/contract/host/desktop'
import { test } from '../../support/desktop/desktop-test'
import { repoRoot } from '../../support/desktop/app/launch'

test.use({ sharesApp: true })

test('our page has the bridge: named functions, nothing else', async ({ page }) => {
  const bridge = await page.evaluate(() =>
    Object.entries((window as unknown as { desktop: object }).desktop).map(([name, value]) => [
      name,
      typeof value,
    ]),
  )
  expect(bridge).toEqual(Object.keys(desktopChannels).map((name) => [name, 'function']))
})

test('the same preload script gives another origin nothing', async ({
  app,
  page,
  elsewhere,
  origin,
}) => {
  const seen = await app.evaluate(
    async ({ BrowserWindow }, { addresses, ...webPreferences }) => {
      const other = new BrowserWindow({ show: false, webPreferences })
      const found: string[] = []
      for (const address of addresses) {
        await other.loadURL(address)
        found.push(String(await other.webContents.executeJavaScript('typeof window.desktop')))
      }
      other.destroy()
      return found
    },
    {
      preload: join(repoRoot, 'dist/preload/index.cjs'),
      additionalArguments: [`${ORIGIN_ARGUMENT}${origin}`],
      addresses: [
        elsewhere.origin,
        origin.replace('127.0.0.1', 'localhost'),
        'data:text/html,<p>',
        `${origin}/`,
      ],
    },
  )
  expect(seen).toEqual(['undefined', 'undefined', 'undefined', 'object'])
  expect(page.isClosed()).toBe(false)
})

/** The calls that return a value to a page; the others only send. */
const { showDataFolder, showProgress, startReport, chooseFolder, offerFile, takeOpenedFiles } =
  desktopChannels
const asked = [showDataFolder, showProgress, startReport, chooseFolder, offerFile, takeOpenedFiles]

/** A preload script that calls us from any page, and reports the answers. */
const asking = `
  const { ipcRenderer } = require('electron')
  const report = (answer) => ipcRenderer.send('test:answer', answer)
  const call = (channel) => ipcRenderer.invoke(channel, null).then(() => 'done', (error) => error.message)
  Promise.all(${JSON.stringify(asked)}.map(call)).then(report)
`

test('a call from another page is refused', async ({ app, page, elsewhere, dataDir }) => {
  const preload = join(dataDir, 'asking.cjs')
  await writeFile(preload, asking)
  const answer = await app.evaluate(
    async ({ BrowserWindow, ipcMain }, { address, preload }) => {
      const other = new BrowserWindow({ show: false, webPreferences: { preload } })
      const answer = new Promise((resolve) =>
        ipcMain.once('test:answer', (_event, texts: string[]) => resolve(texts)),
      )
      await other.loadURL(address)
      return answer.finally(() => other.destroy())
    },
    { address: elsewhere.origin, preload },
  )
  const refused = expect.stringContaining('This page may not do that') as unknown
  expect(answer).toEqual(asked.map(() => refused))
  expect(page.isClosed()).toBe(false)
})

test('a call is answered only where it comes from our own page itself', () => {
  const origin = 'http://127.0.0.1:4780'
  const from = (senderFrame: { parent: object | null; origin: string } | null) => () =>
    requireOwnPage({ senderFrame }, origin)
  expect(from({ parent: null, origin })).not.toThrow()
  expect(from(null)).toThrow()
  expect(from({ parent: {}, origin })).toThrow()
  for (const other of [
    'http://127.0.0.1:4781',
    'http://localhost:4780',
    'https://127.0.0.1:4780',
    'null',
  ]) {
    expect(from({ parent: null, origin: other })).toThrow()
  }
})

test('our own page shows progress on its icon, within bounds', async ({ app, page }) => {
  const window = await app.browserWindow(page)
  await window.evaluate((shown) => {
    const bars: unknown[] = []
    Object.assign(globalThis, { bars })
    shown.setProgressBar = (...given: unknown[]) => void bars.push(given)
  })
  const show = (progress: unknown) =>
    page.evaluate((given) => {
      const { desktop } = window as unknown as {
        desktop: { showProgress(progress: unknown): Promise<void> }
      }
      return desktop.showProgress(given).then(() => 'shown', () => 'refused') // oxfmt-ignore
    }, progress)
  const answers = []
  for (const progress of [{ share: 0.45, mode: 'normal' }, { share: 1, mode: 'paused' }, null]) {
    answers.push(await show(progress))
  }
  for (const wrong of [{ share: 2, mode: 'normal' }, { share: 0.5, mode: 'none' }, 'half'])
    answers.push(await show(wrong))
  expect(answers).toEqual(['shown', 'shown', 'shown', 'refused', 'refused', 'refused'])
  expect(await app.evaluate(() => (globalThis as unknown as { bars: unknown[] }).bars)).toEqual([
    [0.45, { mode: 'normal' }],
    [1, { mode: 'paused' }],
    [-1, { mode: 'none' }],
  ])
})

test('our own page is answered', async ({ app, page, dataDir }) => {
  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openPath = async (path) => {
      opened.push(path)
      return ''
    }
  })
  await page.evaluate(() =>
    (
      window as unknown as { desktop: { showDataFolder(): Promise<void> } }
    ).desktop.showDataFolder(),
  )
  expect(await app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual([
    dataDir,
  ])
})
