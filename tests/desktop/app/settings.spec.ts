import { once } from 'node:events'
import { get } from 'node:https'
import { expect } from 'playwright/test'
import { nextFreePort } from '../../../server/network/free-port'
import { loaded, test } from '../../support/desktop/desktop-test'
import { launch } from '../../support/desktop/app/launch'
import { changeSettings, signInAtWindow } from '../../support/desktop/app/settings'

test.use({ people: ['alice'] })

test('a theme applies at once to page, menus and window, and HTTPS keeps the window working', async ({
  app,
  page,
  origin,
}) => {
  // Playwright would decide for the page.
  await page.emulateMedia({ colorScheme: null })
  await signInAtWindow(page)
  const native = () =>
    app.evaluate(({ nativeTheme, BrowserWindow }) => ({
      source: nativeTheme.themeSource,
      ground: BrowserWindow.getAllWindows()[0]!.getBackgroundColor(),
    }))
  const isDark = () => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const painted = page.locator('html')

  expect(await changeSettings(page, { theme: 'dark' })).toBe(200)
  await expect.poll(native).toEqual({ source: 'dark', ground: '#101616' })
  await expect.poll(isDark).toBe(true)
  await expect(painted).toHaveAttribute('data-mantine-color-scheme', 'dark')
  expect(await changeSettings(page, { theme: 'light' })).toBe(200)
  await expect.poll(native).toEqual({ source: 'light', ground: '#FFFFFF' })
  await expect(painted).toHaveAttribute('data-mantine-color-scheme', 'light')

  expect(await changeSettings(page, { https: 'local' })).toBe(200)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  expect(new URL(page.url()).origin).toBe(origin)
  // Still signed in, and still the window of the host account.
  expect(await changeSettings(page, { host_name: 'Quay' })).toBe(200)
  const ca = await (await fetch(`${origin}/ca.crt`)).text()
  expect(await statusByHttps(origin, ca), 'with the authority of the host').toBe(200)
})

/** Status of an HTTPS request from a client that trusts only this authority. */
const statusByHttps = (origin: string, ca: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { port } = new URL(origin)
    const asked = get({ host: '127.0.0.1', port, path: '/api/host', ca }, (reply) =>
      resolve(reply.resume().statusCode),
    )
    asked.on('error', reject)
  })

test('the switches of the headless host hold for the app too, and its settings say that they decide', async ({
  dataDir,
}) => {
  const app = await launch(dataDir, { args: ['--https', '--trust-proxy', '10.0.0.2'] })
  const page = await loaded(app)
  const { origin } = new URL(page.url())
  expect(await statusByHttps(origin, await (await fetch(`${origin}/ca.crt`)).text())).toBe(200)
  await signInAtWindow(page)
  await page.goto(`${origin}/host/settings#advanced`)
  await expect(page.getByLabel('Trusted proxies')).toBeDisabled()
  await expect(page.getByLabel('Encryption')).toBeDisabled()
  await app.close()
})

test('a new port applies after a clean restart and keeps all data', async ({ dataDir }) => {
  const app = await launch(dataDir)
  const page = await loaded(app)
  await signInAtWindow(page)
  const port = await nextFreePort('127.0.0.1', 41_000)
  const said: string[] = []
  app.process().stdout?.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  await app.evaluate(({ app: program }) =>
    Object.assign(program, { relaunch: () => console.log('STARTS ANEW') }),
  )
  const ending = once(app.process(), 'exit')
  // The answer may come after the page has closed.
  await changeSettings(page, { port: port! }).catch(() => undefined)
  expect(await ending).toEqual([0, null])
  // The last output of a process may arrive after its end.
  await expect.poll(() => said.join('')).toContain('STARTS ANEW')

  const next = await launch(dataDir)
  const { origin } = new URL((await loaded(next)).url())
  expect(origin).toBe(`http://127.0.0.1:${port}`)
  expect((await (await fetch(`${origin}/api/host`)).json()) as object).toMatchObject({
    success: true,
  })
  await next.close()
})
