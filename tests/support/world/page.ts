import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as base, type Browser as Chromium, type Page, type TestInfo } from 'playwright/test'
import type { Client } from '../../../renderer/lib/client/api-client'
import { createClient } from '../network/client'
import type { ServerConfig } from '../../../server/index'
import type { RouterAccess } from '../../../server/features/internet/needs'
import { Browser } from '../system/browser'
import { noNetwork } from '../network/small-routers'
import { aUser } from './factories'
import { PASSWORD } from './password'
import { RealClock } from './test-clock'
import { TestLog } from './test-log'
import { TestServer } from './test-server'

/** The built UI; SLIPWAY_UI_DIR tries another build of it. */
const uiDir = process.env['SLIPWAY_UI_DIR'] ?? join(import.meta.dirname, '../../../dist/renderer')

interface Fixtures {
  /** What this host has that others do not. */
  config: Partial<ServerConfig>
  /** Whether `host` is the host account. */
  hasHost: boolean
  host: TestServer
  /** The account signed in on `page`; VISITOR: none. */
  person: string
  /** Alice, who owns everything here: the typed client of her second device. */
  alice: Client
  /** Fails the test when a page logs an error or throws; a test that provokes one empties it. */
  complaints: string[]
}

export { expect }

export const VISITOR = 'visitor'

/** `test` with a host of its own and a `page` on which alice is signed in; `host` is the account that looks after it. */
export const test = base.extend<Fixtures>({
  config: async ({}, use) => use({}),
  hasHost: async ({}, use) => use(true),
  person: async ({}, use) => use('alice'),
  host: ({ config, hasHost }, use) => withHost(config, use, hasHost),
  baseURL: async ({ host }, use) => use(host.url),
  alice: async ({ host }, use) => use(await clientOf(host, 'alice')),
  complaints: async ({}, use) => use([]),
  page: async ({ page, host, person, complaints }, use, info) => {
    if (person !== VISITOR) await signIn(page, host, person)
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await use(page)
    await keepPicture(page, info)
    expect(complaints, 'errors on the page').toEqual([])
  },
})

/** Starts a host on its own folder, with the accounts host and alice; removes both after `use`. */
export async function withHost(
  own: Partial<ServerConfig>,
  use: (host: TestServer) => Promise<void>,
  hasHost = true,
  routers: RouterAccess = noNetwork,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-ui-'))
  const around = { clock: new RealClock(), log: new TestLog(), routers }
  const host = await TestServer.start({ dataDir, uiDir, ...own }, around)
  await aUser(host, 'host', { isHost: hasHost })
  await aUser(host, 'alice')
  await use(host)
  await host.close()
  await rm(dataDir, { recursive: true, force: true })
}

/** The typed client of a signed-in person. */
export async function clientOf(host: TestServer, username: string): Promise<Client> {
  const client = createClient(host.url, { fetch: new Browser(host.url).fetch })
  await client.accounts.login({ username, password: PASSWORD })
  return client
}

/** A page of a browser of their own, on which this person is signed in. */
export async function pageOf(chromium: Chromium, host: TestServer, username: string): Promise<Page> {
  const page = await chromium.newPage({ baseURL: host.url })
  await signIn(page, host, username)
  return page
}

async function signIn(page: Page, host: TestServer, username: string): Promise<void> {
  const data = { username, password: PASSWORD }
  const reply = await page.request.post(`${host.url}/api/auth/login`, { data, headers: { origin: host.url } })
  expect(reply.status()).toBe(200)
}

/** A file that is already on the host. */
export async function aFile(client: Client, filename: string, options: { isPublic?: boolean; bytes?: string } = {}) {
  const { isPublic = false, bytes = `the bytes of ${filename}` } = options
  const reply = await client.files.upload({ file: new File([bytes], filename), is_public: String(isPublic) })
  return reply.file
}

export async function aProject(client: Client, title: string, isPublic = false) {
  return (await client.projects.create({ title, is_public: isPublic })).project
}

/** Answers the question that is open. */
export async function answer(page: Page, question: string | RegExp, button: string): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: question })
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/**
 * Keeps what the page shows where the test has failed. Playwright's own setting takes a picture of every page that closes,
 * also in tests that pass.
 */
async function keepPicture(page: Page, info: TestInfo): Promise<void> {
  if (info.status !== info.expectedStatus) await page.screenshot({ path: info.outputPath('page.png') })
}
