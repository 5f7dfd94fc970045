import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type ElectronApplication, type Page } from 'playwright/test'
import { realDisk } from '../../../server/data/durable-file'
import { issue, makeAuthority } from '../../../server/network/tls/certificate'
import { PublicFile } from '../../../server/network/tls/public-file'
import { noLab, openHome, type Home } from '../../support/internet/home'
import { clickTray, seen, watch } from '../support/app/outside-window'
import { switchSharing } from '../support/app/menu'
import { signInAtWindow } from '../support/app/settings'
import { loaded, test as base } from '../support/desktop-test'
import { launchOn, runOn } from '../support/on-machine'
import { addPeople } from '../support/person'

const test = base.extend<{ home: Home; folder: string }>({
  home: async ({}, use) => {
    const home = await openHome()
    await home.router.start()
    await use(home)
    await home.close()
  },
  folder: async ({ home }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-anywhere-'))
    await prepare(join(folder, 'data'), home.router.outside)
    await use(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },
  app: async ({ home, folder }, use) => {
    const app = await launchOn(home.host, folder)
    await use(app)
    await app.close()
  },
})

/** A data folder with an account, and with a certificate for the address, because the lab's internet has no authority. */
async function prepare(dataDir: string, address: string): Promise<void> {
  await mkdir(dataDir, { mode: 0o700 })
  const directory = 'https://11.77.0.80:9/directory'
  const internet = { acmeDirectory: directory, stunServer: '' }
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ port: 0, internet }))
  await addPeople(dataDir, ['alice'])
  const names = { names: [], addresses: [address] }
  const pair = issue(makeAuthority({ ...names, names: ['the world'] }, new Date()), names, new Date())
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const accountKey = privateKey.export({ type: 'pkcs8', format: 'pem' })
  await new PublicFile(dataDir, realDisk).write({ directory, accountKey: accountKey.toString(), pair })
}

const line = (page: Page) => page.getByRole('region', { name: 'From anywhere' }).getByRole('status')
const itemsOf = async (app: ElectronApplication) => (await seen(app)).items.map(([label]) => label)

/** The version of the host, as a visitor on the internet sees it; undefined: nothing answers. */
const visit = (home: Home) =>
  runOn(home.visitor, 'curl', ['-sk', '--max-time', '2', `https://${home.router.outside}/api/host`]).then(
    (body) => (JSON.parse(body) as { host: { version: string } }).host.version,
    () => undefined,
  )

/** What the router leads in, as its firewall has it. */
const ledIn = (home: Home) => home.namespaces.sh('router', 'nft list chain inet filter prerouting_miniupnpd')

async function open(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Make links work anywhere' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: /I accept the terms/ }).check({ force: true })
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(dialog).toHaveCount(0)
}

test('the card opens the host, the tray stops it, and quitting takes the port back', async ({ app, home }) => {
  test.skip(noLab !== undefined, noLab)
  const page = await loaded(app)
  await watch(app)
  await signInAtWindow(page)
  await page.reload()

  await test.step('a click in the tray opens the page that asks for consent', async () => {
    expect(await switchSharing(app)).toBe(true)
    await expect.poll(() => itemsOf(app)).toContain('Share with the internet …')
    await clickTray(app, 'internet')
    await expect(page).toHaveURL(/\/host$/)
    await expect(line(page)).toHaveText('Only your network can reach this host.')
    expect(ledIn(home)).not.toContain('dnat')
  })

  await test.step('the page opens it, and a visitor proves it', async () => {
    await open(page)
    await expect(line(page)).toHaveText('The port is open, but not tested from outside yet.')
    expect(await visit(home)).toMatch(/^\d/)
    await expect(line(page)).toHaveText('Anyone can reach this host.')
    await expect(page.getByLabel('Public address')).toHaveText(`https://${home.router.outside}`)
    await expect.poll(async () => (await seen(app)).tip).toBe('Slipway. Online, from anywhere')
  })

  await test.step('the tray stops it', async () => {
    expect(await itemsOf(app)).toContain('Stop sharing with the internet')
    await clickTray(app, 'internet')
    await expect(line(page)).toHaveText('Only your network can reach this host.')
    await expect.poll(() => itemsOf(app)).toContain('Share with the internet …')
    expect(ledIn(home)).not.toContain('dnat')
    expect(await visit(home)).toBeUndefined()
  })

  await test.step('quitting takes the port back', async () => {
    await open(page)
    await expect.poll(() => visit(home)).toMatch(/^\d/)
    expect(ledIn(home)).toContain('dnat')
    const ended = once(app.process(), 'exit')
    await app.evaluate(({ app: program }) => void setImmediate(() => program.quit()))
    await ended
    expect(ledIn(home)).not.toContain('dnat')
  })
})
