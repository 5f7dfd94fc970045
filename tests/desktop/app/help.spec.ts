import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type ElectronApplication } from 'playwright/test'
import { PASSWORD } from '../../support/world/password'
import { loaded, test } from '../../support/desktop/desktop-test'
import { launch } from '../../support/desktop/app/launch'
import { clickMenu } from '../../support/desktop/app/menu'
import { signedIn } from '../../support/world/people'

test.use({ people: ['alice'] })

/** Answers the save dialog in place of the person, and notes what is shown in the file manager. */
async function saveTo(app: ElectronApplication, filePath: string): Promise<void> {
  await app.evaluate(({ dialog, shell }, path) => {
    Object.assign(dialog, {
      showSaveDialog: () => Promise.resolve({ canceled: false, filePath: path }),
    })
    Object.assign(shell, {
      showItemInFolder: (shown: string) => Object.assign(globalThis, { shown }),
    })
  }, filePath)
}

test('a problem report holds versions, settings and the log, and no secret', async ({
  app,
  page,
  origin,
  dataDir,
}) => {
  const { client, browser } = await signedIn(origin, 'alice')
  const { api_key: key } = await client.apiKeys.create({ name: 'CI' })
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as {
    sessionKeys: string[]
  }
  // Secrets in the log must not leave with the report.
  await appendFile(join(dataDir, 'logs/slipway.log'), `leaked ${key}, Cookie: ${browser.cookie}\n`)
  const path = join(dataDir, 'report.txt')
  await saveTo(app, path)
  await clickMenu(app, 'report-problem')
  await expect.poll(() => app.evaluate(() => (globalThis as { shown?: string }).shown)).toBe(path)

  const report = await readFile(path, 'utf8')
  for (const part of [
    '== Versions ==',
    '"Electron": ',
    '== Settings ==',
    '"registration_open": true',
    'host started',
    'leaked apk_[redacted]',
  ])
    expect(report).toContain(part)
  const cookies = browser.cookie.split('; ').map((pair) => pair.slice(pair.indexOf('=') + 1))
  const hidden = [key, ...secrets.sessionKeys, ...cookies, PASSWORD]
  expect(hidden.length).toBeGreaterThan(3)
  for (const secret of hidden) expect(report).not.toContain(secret)
  expect(page.isClosed()).toBe(false)
})

test('the person at the computer resets the host password', async ({ app, page }) => {
  await clickMenu(app, 'reset-host-password')
  await expect(page.getByText(/^For .+'s account$/)).toBeVisible()
})

test('says why a report cannot be written; About shows all versions and links to the licences', async ({
  dataDir,
}) => {
  const app = await launch(dataDir, { dialogs: true })
  const { origin } = new URL((await loaded(app)).url())
  await saveTo(app, join(dataDir, 'no such folder/report.txt'))
  await app.evaluate(({ app: program, dialog }) => {
    const told: string[] = []
    Object.assign(globalThis, { told })
    Object.assign(dialog, { showErrorBox: (...words: string[]) => told.push(...words) })
    program.once('browser-window-created', (_event, window) => {
      window.on('closed', () => told.push('closed'))
      window.webContents.once('did-start-loading', () => setImmediate(() => window.close()))
    })
  })
  const told = () => app.evaluate(() => (globalThis as unknown as { told: string[] }).told)
  await clickMenu(app, 'report-problem')
  const failure = [
    'The command failed',
    expect.stringMatching(/^Cannot save the report as .+report\.txt \(ENOENT\)$/),
  ]
  await expect.poll(told).toEqual(failure)
  // Licences may be closed before they have come.
  await clickMenu(app, 'licences')
  await expect.poll(told).toEqual([...failure, 'closed'])

  await app.evaluate(({ dialog }) => {
    const read = (asked: { detail: string; buttons: string[] }) => {
      Object.assign(globalThis, { asked })
      return Promise.resolve({ response: asked.buttons.indexOf('Licences') })
    }
    Object.assign(dialog, { showMessageBox: read })
  })
  await clickMenu(app, 'about')
  const { detail } = await app.evaluate(
    () => (globalThis as unknown as { asked: { detail: string } }).asked,
  )
  expect(detail).toMatch(/Slipway \d[^]+Electron \d[^]+Chromium \d[^]+Node \d/)
  // Not the next window event: that may still be the one of the closed window.
  await expect
    .poll(() => app.windows().map((page) => page.url()))
    .toContain(`${origin}/licences.txt`)
  await clickMenu(app, 'licences')
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(2)
  await app.close()

  const text = await readFile(
    join(import.meta.dirname, '../../../dist/renderer/licences.txt'),
    'utf8',
  )
  for (const name of ['react', 'koa', 'zod', 'lowdb', '@mantine/core'])
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'))
})
