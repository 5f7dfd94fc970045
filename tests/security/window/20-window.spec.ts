import { expect, type ElectronApplication } from 'playwright/test'
import { test } from '../../support/desktop/desktop-test'

test.use({ sharesApp: true })

const POWERS = [
  'geolocation',
  'notifications',
  'camera',
  'microphone',
  'clipboard-read',
  'midi',
  'persistent-storage',
]

/** Where the window was about to go: a test that nothing happened must know that it was tried. */
async function watchNavigation(app: ElectronApplication): Promise<() => Promise<string[]>> {
  await app.evaluate(({ BrowserWindow }) => {
    const attempts: string[] = []
    Object.assign(globalThis, { attempts })
    const { webContents } = BrowserWindow.getAllWindows()[0]!
    webContents.on('will-frame-navigate', ({ url }) => attempts.push(url))
    webContents.on('will-redirect', ({ url }) => attempts.push(url))
  })
  return () => app.evaluate(() => (globalThis as unknown as { attempts: string[] }).attempts)
}

/** Waits until the window no longer is on its way to anywhere. */
const navigationToEnd = (app: ElectronApplication) =>
  expect
    .poll(() =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]!.webContents.isLoading(),
      ),
    )
    .toBe(false)

test('the page runs sandboxed, without Node or webviews', async ({ app, page }) => {
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]!.webContents
    return (
      contents as unknown as { getLastWebPreferences(): Record<string, unknown> }
    ).getLastWebPreferences()
  })
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
  })
  expect(preferences).toMatchObject({
    webSecurity: true,
    webviewTag: false,
    nodeIntegrationInSubFrames: false,
  })
  expect(await page.evaluate(() => [typeof require, typeof process])).toEqual([
    'undefined',
    'undefined',
  ])
})

test('denies every permission, requested or queried', async ({ page }) => {
  const states = await page.evaluate(
    (names) =>
      Promise.all(
        names.map(
          async (name) => (await navigator.permissions.query({ name: name as 'midi' })).state,
        ),
      ),
    POWERS,
  )
  expect(states).toEqual(POWERS.map(() => 'denied'))
  expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied')
  const refusal = page.evaluate(
    () =>
      new Promise<number>((answer) =>
        navigator.geolocation.getCurrentPosition(
          () => answer(0),
          (it) => answer(it.code),
        ),
      ),
  )
  expect(await refusal).toBe(1)
})

test('what is copied still arrives in the clipboard', async ({ app, page }) => {
  const copied = await page.evaluate(async () => {
    const area = document.body.appendChild(document.createElement('textarea'))
    area.value = 'from the page'
    area.select()
    // oxlint-disable-next-line typescript/no-deprecated -- what the page falls back on
    return document.execCommand('copy')
  })
  expect(copied).toBe(true)
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('from the page')
})

test('our pages cannot leave for another origin', async ({ app, page, elsewhere, origin }) => {
  const attempts = await watchNavigation(app)
  await page.evaluate((address) => void (location.href = address), `${elsewhere.origin}/by-script`)
  await expect.poll(attempts).toContain(`${elsewhere.origin}/by-script`)
  await page.evaluate((address) => {
    const link = document.body.appendChild(document.createElement('a'))
    link.href = address
    link.click()
  }, `${elsewhere.origin}/by-link`)
  await expect.poll(attempts).toContain(`${elsewhere.origin}/by-link`)
  await navigationToEnd(app)
  expect(page.url()).toBe(`${origin}/`)
  expect(elsewhere.requests).toEqual([])
})

for (const guard of ['all guards', 'the navigation guard alone']) {
  test.describe(() => {
    test.use({ sharesApp: guard === 'all guards' })
    test(`a redirect of ours leads nowhere: ${guard}`, async ({ app, page, elsewhere, origin }) => {
      const attempts = await watchNavigation(app)
      await page.route('**/redir', (route) =>
        route.fulfill({ status: 302, headers: { location: `${elsewhere.origin}/after-redirect` } }),
      )
      if (guard !== 'all guards') {
        await app.evaluate(({ session }) =>
          session.fromPartition('persist:slipway').webRequest.onBeforeRequest(null),
        )
      }
      await page.evaluate(() => void (location.href = '/redir'))
      await expect.poll(attempts).toContain(`${elsewhere.origin}/after-redirect`)
      await navigationToEnd(app)
      expect(new URL(page.url()).origin).toBe(origin)
      expect(elsewhere.requests).toEqual([])
    })
  })
}

test('the main process loads no other origin either', async ({ app, page, elsewhere }) => {
  const failure = await app.evaluate(
    ({ BrowserWindow }, address) =>
      BrowserWindow.getAllWindows()[0]!
        .loadURL(address)
        .then(
          () => 'loaded',
          (error: unknown) => String(error),
        ),
    elsewhere.origin,
  )
  expect(failure).toContain('ERR_BLOCKED_BY_CLIENT')
  expect(elsewhere.requests).toEqual([])
  expect(page.isClosed()).toBe(false)
})

test('web links open in the system browser, and nothing opens a window', async ({ app, page }) => {
  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openExternal = async (address) => void opened.push(address)
  })
  const addresses = [
    'https://example.com/page',
    'file:///etc/passwd',
    'slipway://x',
    'javascript:alert(1)',
    'smb://x/y',
  ]
  const results = await page.evaluate(
    (all) => all.map((address) => window.open(address) === null),
    addresses,
  )
  expect(results).toEqual(addresses.map(() => true))
  const opened = await app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)
  expect(opened).toEqual(['https://example.com/page'])
  expect(app.windows()).toHaveLength(1)
})

test('a download from elsewhere does not start', async ({ app, page, elsewhere }) => {
  const failure = await app.evaluate(
    ({ BrowserWindow, session }, address) =>
      new Promise<string>((resolve) => {
        session
          .fromPartition('persist:slipway')
          .webRequest.onErrorOccurred(({ error }) => resolve(error))
        BrowserWindow.getAllWindows()[0]!.webContents.downloadURL(address)
      }),
    elsewhere.origin,
  )
  expect(failure).toBe('net::ERR_BLOCKED_BY_CLIENT')
  expect(elsewhere.requests).toEqual([])
  expect(page.isClosed()).toBe(false)
})
