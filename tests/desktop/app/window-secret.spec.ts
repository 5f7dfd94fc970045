import { expect, type ElectronApplication } from 'playwright/test'
import { WINDOW_HEADER } from '../../../server/contract/host/desktop'
import { test } from '../../support/desktop/desktop-test'

/** Headers as they leave, which the page itself cannot see. */
async function watchRequests(
  app: ElectronApplication,
): Promise<() => Promise<Record<string, string[]>>> {
  await app.evaluate(({ session }, header) => {
    const sent: Record<string, string[]> = {}
    Object.assign(globalThis, { sent })
    session.fromPartition('persist:slipway').webRequest.onSendHeaders(({ url, requestHeaders }) => {
      sent[new URL(url).pathname] = Object.entries(requestHeaders)
        .filter(([name]) => name.toLowerCase() === header)
        .map(([, value]) => value)
    })
  }, WINDOW_HEADER)
  return () =>
    app.evaluate(() => (globalThis as unknown as { sent: Record<string, string[]> }).sent)
}

test.describe(() => {
  test.use({ sharesApp: true })

  test('our own requests carry the secret, and a page cannot replace it', async ({ app, page }) => {
    const sent = await watchRequests(app)
    await page.evaluate(async (name) => {
      await fetch('/api/host')
      await fetch('/api/auth/check', { headers: { [name.toUpperCase()]: 'forged' } })
    }, WINDOW_HEADER)
    const { '/api/host': plain, '/api/auth/check': forged } = await sent()
    expect(plain).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
    expect(forged).toEqual(plain)
  })

  test('the page cannot find the secret', async ({ app, page }) => {
    const sent = await watchRequests(app)
    const found = await page.evaluate(async () => {
      const reply = await fetch('/api/host')
      const places = [
        document.cookie,
        JSON.stringify(localStorage),
        navigator.userAgent,
        document.documentElement.outerHTML,
      ]
      return [...places, JSON.stringify([...reply.headers]), await reply.text()].join('\n')
    })
    const secret = (await sent())['/api/host']![0]!
    expect(secret).toHaveLength(43)
    expect(found).not.toContain(secret)
    const args = await app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]!.webContents
      return JSON.stringify(
        (contents as unknown as { getLastWebPreferences(): unknown }).getLastWebPreferences(),
      )
    })
    expect(args).not.toContain(secret)
  })
})

test('no other origin gets the secret, even without the allow-list or by a redirect', async ({
  app,
  page,
  elsewhere,
  origin,
}) => {
  await app.evaluate(({ session }) =>
    session.fromPartition('persist:slipway').webRequest.onBeforeRequest(null),
  )
  await app.evaluate(
    async ({ BrowserWindow, session }, addresses) => {
      const own = session.fromPartition('persist:slipway')
      const other = new BrowserWindow({ show: false, webPreferences: { session: own } })
      for (const address of addresses) await other.loadURL(address).catch(() => undefined)
      for (const address of addresses) await own.fetch(address).catch(() => undefined)
      other.destroy()
    },
    [`${elsewhere.origin}/plain`, `${origin.replace('127.0.0.1', '127.0.0.2')}/`],
  )
  await page.route('**/redir', (route) =>
    route.fulfill({
      status: 302,
      headers: { location: `${elsewhere.origin}/after`, 'access-control-allow-origin': '*' },
    }),
  )
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.executeJavaScript(
      `new Promise((done) => { const it = new Image(); it.onload = it.onerror = () => done(0); it.src = '/redir' })`,
    ),
  )
  expect(elsewhere.requests.map(({ url }) => url)).toContain('/plain')
  expect(elsewhere.requests.filter(({ headers }) => WINDOW_HEADER in headers)).toEqual([])
  expect(page.isClosed()).toBe(false)
})
