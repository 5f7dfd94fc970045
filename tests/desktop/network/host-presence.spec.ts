import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type ElectronApplication } from 'playwright/test'
import { loaded, test } from '../../support/desktop/desktop-test'
import { launch } from '../../support/desktop/app/launch'
import { switchSharing } from '../../support/desktop/app/menu'
import { clickTray, seen, watch } from '../../support/desktop/app/outside-window'
import { signedIn } from '../../support/world/people'
import { changeSettings, signInAtWindow } from '../../support/desktop/app/settings'
import { begunDownload, publicFile } from '../../support/desktop/transfer'

test.use({ people: ['alice'] })

/** Larger than the socket buffers of both sides. */
const LARGE = 20 * 1024 * 1024

const isVisible = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.isVisible()),
  )

const isAwake = (app: ElectronApplication) =>
  app.evaluate(({ powerSaveBlocker }) => [0, 1, 2, 3].some((id) => powerSaveBlocker.isStarted(id)))

const close = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close())

test('transfers keep the machine awake and show in the icon and tray; a window that closes says once that the host runs', async ({
  app,
  page,
  origin,
  dataDir,
}) => {
  await watch(app)
  const { url } = await publicFile(origin, await signedIn(origin, 'alice'), 'alice', LARGE)
  await expect.poll(() => isAwake(app)).toBe(false)
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.blur())
  const download = await begunDownload(url)
  await expect.poll(() => isAwake(app)).toBe(true)
  await expect
    .poll(async () => (await seen(app)).tip)
    .toBe('Slipway. On this computer only: 1 download')
  await download.rest()
  await expect.poll(() => isAwake(app)).toBe(false)
  expect((await seen(app)).badges.slice(-2)).toEqual([1, 0])

  const noticesBefore = (await seen(app)).notices.length
  const notices = async () => (await seen(app)).notices.slice(noticesBefore)
  await close(app)
  await expect.poll(() => isVisible(app)).toEqual([false])
  expect((await fetch(`${origin}/api/host`)).status).toBe(200)
  await expect.poll(notices).toEqual(['Slipway is still running'])
  await expect
    .poll(() => readFile(join(dataDir, 'settings.json'), 'utf8'))
    .toContain('"told_of_tray": true')

  await app.evaluate(({ app: program }) => void program.emit('second-instance', {}, []))
  await expect.poll(() => isVisible(app)).toEqual([true])
  await close(app)
  await expect.poll(() => isVisible(app)).toEqual([false])
  expect(await notices()).toHaveLength(1)
  const again = await begunDownload(url)
  await again.rest()
  await expect.poll(notices).toContain('large.zip was downloaded')
  expect(page.isClosed()).toBe(false)
})

test('the tray shows the state, opens the window, copies the address and pauses sharing', async ({
  app,
  page,
}) => {
  await watch(app)
  expect(await switchSharing(app)).toBe(true)
  await expect.poll(async () => (await seen(app)).tip).toBe('Slipway. Online')
  const { items } = await seen(app)
  const [state, open, copy, sharing, internet, quit] = items
  expect([state, open, sharing, internet, quit]).toEqual([
    ['Online', false],
    ['Open Slipway', true],
    ['Pause sharing', true],
    ['Share from anywhere …', true],
    ['Quit Slipway', true],
  ])
  const { host } = (await (await fetch(`${new URL(page.url()).origin}/api/host`)).json()) as {
    host: { share_url: string; reachable: boolean }
  }
  expect(copy).toEqual(['Copy address', host.reachable])
  if (host.reachable) {
    await clickTray(app, 'copy-address')
    expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe(host.share_url)
  }
  await close(app)
  await clickTray(app, 'open')
  await expect.poll(() => isVisible(app)).toEqual([true])

  await clickTray(app, 'sharing')
  await expect.poll(async () => (await seen(app)).tip).toBe('Slipway. On this computer only')
  const mark = () =>
    app.evaluate(
      ({ Menu }) => Menu.getApplicationMenu()!.getMenuItemById('share-on-network')!.checked,
    )
  await expect.poll(mark).toBe(false)
})

test('the tray says which address it waits for, leads to the choice', async ({ dataDir }) => {
  await writeFile(
    join(dataDir, 'settings.json'),
    JSON.stringify({ port: 0, shared_addresses: ['192.0.2.77'] }),
  )
  const app = await launch(dataDir)
  await loaded(app)
  await watch(app)
  expect(await switchSharing(app)).toBe(true)
  await expect.poll(async () => (await seen(app)).tip).toBe('Slipway. Waiting for 192.0.2.77')
  expect((await seen(app)).items).toContainEqual(['Choose other addresses …', true])
  await clickTray(app, 'sharing')
  await expect.poll(async () => (await seen(app)).tip).toBe('Slipway. On this computer only')
  expect((await seen(app)).items).not.toContainEqual(['Choose other addresses …', true])
  await app.close()
})

test('warns on battery that the host may sleep soon, logs when it slept, and starts at login if asked', async ({
  app,
  page,
  origin,
  dataDir,
}) => {
  const emit = (name: string) =>
    app.evaluate(({ powerMonitor }, event) => void powerMonitor.emit(event), name)
  await signInAtWindow(page)
  await page.goto(`${origin}/host`)
  await page.getByRole('button', { name: 'Share on this network' }).click()
  const warning = page.getByText('This computer runs on battery and can fall asleep soon.')
  await expect(page.getByText('It goes offline when this computer sleeps.')).toBeVisible()
  await emit('on-battery')
  await expect(warning).toBeVisible()
  await emit('on-ac')
  await expect(warning).toBeHidden()

  await emit('suspend')
  await emit('resume')
  const log = () => readFile(join(dataDir, 'logs/slipway.log'), 'utf8')
  await expect.poll(log).toMatch(/the computer is going to sleep[^]*the computer woke up/)

  // Elsewhere the system keeps the list of what starts at login.
  if (process.platform !== 'linux') return
  const folder = await mkdtemp(join(tmpdir(), 'slipway-config-'))
  await app.evaluate(({ app: program }, path) => program.setPath('appData', path), folder)
  expect(await changeSettings(page, { start_at_login: true })).toBe(200)
  const starter = join(folder, 'autostart/slipway.desktop')
  await expect
    .poll(() => readFile(starter, 'utf8').catch(() => ''))
    .toMatch(/^Exec=".+" "--hidden"$/m)
  expect(await changeSettings(page, { start_at_login: false })).toBe(200)
  await expect.poll(() => readFile(starter, 'utf8').catch(() => 'gone')).toBe('gone')
  await rm(folder, { recursive: true })
})

test('a hidden start opens no window until the user asks for it', async ({ dataDir }) => {
  const app = await launch(dataDir, { args: ['--hidden'] })
  await loaded(app)
  expect(await isVisible(app)).toEqual([false])
  await app.evaluate(({ app: program }) => void program.emit('second-instance', {}, []))
  await expect.poll(() => isVisible(app)).toEqual([true])
  await app.close()
})
