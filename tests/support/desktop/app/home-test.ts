import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Locator, type Page } from 'playwright/test'
import { realDisk } from '../../../../server/core/durable-file'
import { issue, makeAuthority } from '../../../../server/libraries/certificates/certificate'
import { PublicFile } from '../../../../server/network/tls/public-file'
import { openHome, type Home } from '../../internet/home'
import { test as base } from '../desktop-test'
import { launchOn, runOn } from '../../machines/on-machine'
import { addPeople } from '../../world/people'

/** `test` with the real app in a home with a router, in the lab. */
export const test = base.extend<{ home: Home; folder: string }>({
  home: async ({}, use) => {
    const home = await openHome()
    await home.router.start()
    await use(home)
    await home.close()
  },
  folder: async ({ home }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-anywhere-'))
    const { host, port } = await home.startStun()
    await prepare(join(folder, 'data'), { address: home.router.outside, stun: `${host}:${port}` })
    await use(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },
  app: async ({ home, folder }, use) => {
    const app = await launchOn(home.host, folder)
    await use(app)
    await app.close()
  },
})

/**
 * A data folder with an account, and with a certificate for the address, because the lab's internet
 * has no authority.
 */
async function prepare(
  dataDir: string,
  { address, stun }: { address: string; stun: string },
): Promise<void> {
  await mkdir(dataDir, { mode: 0o700 })
  const directory = 'https://11.77.0.80:9/directory'
  await writeFile(
    join(dataDir, 'settings.json'),
    JSON.stringify({ port: 0, acme_directory: directory, stun_server: stun }),
  )
  await addPeople(dataDir, ['alice'])
  const names = { names: [], addresses: [address] }
  const pair = issue(
    makeAuthority({ ...names, names: ['the world'] }, new Date()),
    names,
    new Date(),
  )
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const accountKey = privateKey.export({ type: 'pkcs8', format: 'pem' })
  await new PublicFile(dataDir, realDisk).write({
    directory,
    accountKey: accountKey.toString(),
    pair,
  })
}

export const card = (page: Page): Locator => page.getByRole('region', { name: 'From anywhere' })

/** The sentence that says whether people outside reach the host. */
export const line = (page: Page): Locator => card(page).getByRole('status')

/**
 * The version of the host, as a visitor on the internet sees it, or its refusal; undefined: nothing
 * answers.
 */
export const visit = (home: Home): Promise<string | undefined> =>
  runOn(home.visitor, 'curl', [
    '-sk',
    '--max-time',
    '2',
    `https://${home.router.outside}/api/host`,
  ]).then(
    (body) => (JSON.parse(body) as { host?: { version: string } }).host?.version ?? body,
    () => undefined,
  )

/** Opens the card's dialog, accepts the terms and starts. */
export async function open(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Make links work anywhere' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: /I accept the terms/ }).check({ force: true })
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(dialog).toHaveCount(0)
}
