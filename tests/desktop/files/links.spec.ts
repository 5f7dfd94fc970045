import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { loaded, test } from '../../support/desktop/desktop-test'
import {
  electronPath,
  launch,
  repoRoot,
  runToEnd,
  testSwitches,
} from '../../support/desktop/app/launch'
import { clickMenu } from '../../support/desktop/app/menu'
import { signedIn } from '../../support/world/people'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

test.use({ people: ['alice'] })

test('a link opens a project in the open window without reloading the page', async ({
  app,
  page,
  origin,
  dataDir,
}) => {
  const alice = await signedIn(origin, 'alice')
  await alice.client.projects.create({ title: 'My App', is_public: true })
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))

  expect(await runToEnd(['--data', dataDir, 'slipway://open?project=my-app'])).toEqual({
    code: 0,
    stderr: '',
  })
  await expect(page.getByRole('heading', { name: 'My App', level: 1 })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/p/my-app')

  const stranger = 'slipway://open?project=..%2F..%2Fevil&x=//evil.example'
  expect(await runToEnd(['--data', dataDir, stranger])).toEqual({ code: 0, stderr: '' })
  await app.evaluate(({ app }) =>
    app.emit('open-url', { preventDefault() {} }, 'slipway://evil.example/'),
  )
  expect(new URL(page.url()).pathname).toBe('/p/my-app')
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
})

test('a link starts the app at its project, also one that macOS sends before there is a window', async ({
  dataDir,
}) => {
  const first = await launch(dataDir)
  const { origin } = new URL((await loaded(first)).url())
  const alice = await signedIn(origin, 'alice')
  await alice.client.projects.create({ title: 'My App', is_public: true })
  await first.close()

  const args = [
    ...testSwitches,
    '--remote-debugging-port=0',
    repoRoot,
    '--data',
    dataDir,
    'slipway://open?project=my-app',
  ]
  const child = spawn(electronPath(), args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  const devtools = await addressIn(child.stderr)
  await expect.poll(() => pagesAt(devtools)).toEqual([expect.stringMatching(/\/p\/my-app$/)])
  child.kill('SIGTERM')
  await ended

  const script = join(dataDir, 'send-link.cjs')
  const link = 'slipway://open?project=my-app'
  const send = `app.once('ready', () => app.emit('open-url', { preventDefault() {} }, '${link}'))`
  await writeFile(script, `const { app } = require('electron')\n${send}`)
  const app = await launch(dataDir, { before: ['-r', script], args: ['--hidden'] })
  expect(new URL((await loaded(app)).url()).pathname).toBe('/p/my-app')
  const isVisible = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible())
  await expect.poll(isVisible).toBe(true)
  await app.close()
})

test.describe(() => {
  test.use({ sharesApp: true })

  test('the menu opens pages and leads back without reloading the window, also while it loads', async ({
    app,
    page,
    origin,
  }) => {
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await clickMenu(app, 'go/my-files')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/login')
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)

    const path = () => new URL(page.url()).pathname
    await clickMenu(app, 'back')
    await expect.poll(path, 'Back in the menu').toBe('/')
    // As the system reports the buttons of a mouse.
    for (const [command, expected] of [
      ['browser-forward', '/login'],
      ['browser-backward', '/'],
    ] as const) {
      await app.evaluate(
        ({ BrowserWindow }, button) =>
          BrowserWindow.getAllWindows()[0]!.emit('app-command', { preventDefault() {} }, button),
        command,
      )
      await expect.poll(path, command).toBe(expected)
    }
    await clickMenu(app, 'guide')
    await expect.poll(path, 'a page of the server').toBe('/guide')
    await clickMenu(app, 'docs')
    await expect.poll(path).toBe('/docs')

    await page.goto(origin, { waitUntil: 'commit' })
    await clickMenu(app, 'go/my-files')
    await expect.poll(() => new URL(page.url()).pathname, 'while the window loads').toBe('/login')
  })
})

/** Where the developer tools of an app listen: `http://127.0.0.1:port`. */
async function addressIn(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stderr)) {
    const address = /^DevTools listening on ws:\/\/([^/]+)/.exec(line)?.[1]
    if (address === undefined) continue
    stderr.resume()
    return `http://${address}`
  }
  throw new Error('The app ended before it opened a window')
}

async function pagesAt(devtools: string): Promise<string[]> {
  const targets = (await (await fetch(`${devtools}/json`)).json()) as {
    type: string
    url: string
  }[]
  return targets.filter(({ type }) => type === 'page').map(({ url }) => url)
}
