import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  expect,
  test as base,
  type Browser as Chromium,
  type Page,
  type TestInfo,
} from 'playwright/test'
import type { Client } from '../../../renderer/lib/client/api-client'
import type { Project } from '../../../server/contract'
import type { ServerConfig } from '../../../server/index'
import type { RouterAccess } from '../../../server/features/internet/needs'
import { noNetwork } from '../network/small-routers'
import { aUser } from './factories'
import { PASSWORD } from './password'
import { signedIn } from './people'
import {
  borrowContext,
  openContext,
  returnContext,
  returnContextsOf,
  type TabOptions,
} from './tabs'
import { RealClock } from './test-clock'
import { TestLog } from './test-log'
import { TestServer } from './test-server'

/** The built UI; SLIPWAY_UI_DIR tries another build of it. */
const uiDir = process.env['SLIPWAY_UI_DIR'] ?? join(import.meta.dirname, '../../../dist/renderer')

const FIRST_PORT = 20_000

interface WorkerFixtures {
  /**
   * Where a host listens that serves one test: always the same, so that the browser has its assets.
   */
  port: number
  /**
   * What tests of a worker use together: opens it for the first that asks, and closes it after the
   * last. One fixture for all, because tests with other fixtures of the worker would get a new
   * worker and browser.
   */
  together: <Thing extends object>(
    open: () => Promise<Thing>,
    close: (thing: Thing) => Promise<unknown>,
  ) => Promise<Thing>
}

interface Fixtures {
  /**
   * Whether the browser context may have served other tests; not one whose pages run scripts of the
   * test.
   */
  sharesContext: boolean
  /** Those options of a browser context that tests set; others would be ignored. */
  tabOptions: TabOptions
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

/**
 * `test` with a host of its own and a `page` on which alice is signed in; `host` is the account
 * that looks after it.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  port: [async ({}, use) => use(await quietPort()), { scope: 'worker' }],
  together: [({}, use) => useTogether(use), { scope: 'worker', timeout: 120_000 }],
  sharesContext: [true, { option: true }],
  config: async ({}, use) => use({}),
  hasHost: async ({}, use) => use(true),
  person: async ({}, use) => use('alice'),
  host: ({ port, config, hasHost }, use) => withHost({ port, ...config }, use, hasHost),
  baseURL: async ({ host }, use) => use(host.url),
  alice: async ({ host }, use) => use(await clientOf(host, 'alice')),
  complaints: async ({}, use) => use([]),
  tabOptions: async (
    {
      baseURL,
      colorScheme,
      extraHTTPHeaders,
      hasTouch,
      isMobile,
      javaScriptEnabled,
      locale,
      userAgent,
      viewport,
    },
    use,
  ) => {
    const screen = { colorScheme, hasTouch, isMobile, viewport }
    await use({ baseURL, extraHTTPHeaders, javaScriptEnabled, locale, userAgent, ...screen })
  },
  context: async ({ browser, tabOptions: options, sharesContext }, use, info) => {
    const context = sharesContext
      ? await borrowContext(browser, options)
      : await openContext(browser, options)
    await use(context)
    if (sharesContext && info.status === info.expectedStatus) await returnContext(context)
    else await context.close()
  },
  page: async ({ context, host, person, complaints }, use, info) => {
    const page = context.pages()[0] ?? (await context.newPage())
    if (person !== VISITOR) await signIn(page, host, person)
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await use(page)
    await keepPicture(page, info)
    expect(complaints, 'errors on the page').toEqual([])
  },
})

/** The same with a signed-out `page`. */
export const visitorTest = test.extend({ person: async ({}, use) => use(VISITOR) })

/** Signs in by the form of the sign-in page. */
export async function logIn(page: Page, username = 'alice', password = PASSWORD): Promise<void> {
  // The registration page has fields of the same names.
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
}

async function useTogether(
  use: (together: WorkerFixtures['together']) => Promise<void>,
): Promise<void> {
  const opened = new Map<unknown, Promise<object>>()
  const closing: (() => Promise<unknown>)[] = []
  await use(async (open, close) => {
    const thing = (opened.get(open) ?? open()) as ReturnType<typeof open>
    if (!opened.has(open)) closing.push(async () => close(await thing))
    opened.set(open, thing)
    return thing
  })
  for (const close of closing) await close()
}

/** A free port below those that systems give away, so that it stays free between two hosts. */
async function quietPort(): Promise<number> {
  for (let port = FIRST_PORT + (process.pid % 10_000); ; port++) {
    const server = createServer()
    const listens = await new Promise((resolve) =>
      server.on('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
    )
    server.close()
    if (listens) return port
  }
}

/** Starts a host on its own folder, with the accounts host and alice; removes both after `use`. */
export async function withHost(
  own: Partial<ServerConfig>,
  use: (host: TestServer) => Promise<void>,
  hasHost = true,
  routers: RouterAccess = noNetwork,
): Promise<void> {
  const host = await startHost(own, hasHost, routers)
  await use(host)
  await endHost(host)
}

/** Starts a host on its own folder, with the accounts host and alice. */
export async function startHost(
  own: Partial<ServerConfig>,
  hasHost = true,
  routers: RouterAccess = noNetwork,
): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-ui-'))
  const around = { clock: new RealClock(), log: new TestLog(), routers }
  // The browser, which stays, keeps a connection ready on which it has sent nothing yet.
  const patience = { firstByteMs: 1000 }
  const host = await TestServer.start({ dataDir, uiDir, passwordCost: 4, patience, ...own }, around)
  await aUser(host, 'host', { isHost: hasHost })
  await aUser(host, 'alice')
  return host
}

/** Ends it, and removes its folder. */
export async function endHost(host: TestServer): Promise<void> {
  await returnContextsOf(host.url)
  await host.end()
  await rm(host.dataDir, { recursive: true, force: true })
}

/** The typed client of a signed-in person. */
export const clientOf = async (host: TestServer, username: string): Promise<Client> =>
  (await signedIn(host.url, username)).client

/** A page of a browser of their own, on which this person is signed in. */
export async function pageOf(
  chromium: Chromium,
  host: TestServer,
  username: string,
): Promise<Page> {
  const context = await borrowContext(chromium, { baseURL: host.url })
  const page = context.pages()[0] ?? (await context.newPage())
  await signIn(page, host, username)
  return page
}

async function signIn(page: Page, host: TestServer, username: string): Promise<void> {
  const data = { username, password: PASSWORD }
  const reply = await page.request.post(`${host.url}/api/auth/login`, {
    data,
    headers: { origin: host.url },
  })
  expect(reply.status()).toBe(200)
}

interface FileFields {
  isPublic?: boolean
  bytes?: string | Uint8Array<ArrayBuffer>
  version?: string
  platform?: string
}

/** A file that is already on the host. */
export async function aFile(
  client: Client,
  filename: string,
  fields: FileFields & { project_id?: string } = {},
) {
  const { isPublic = false, bytes = `the bytes of ${filename}`, ...release } = fields
  const file = new File([bytes], filename)
  return (await client.files.upload({ file, is_public: String(isPublic), ...release })).file
}

/** A file that a project offers, uploaded as CI does it: in one call. */
export const aBuild = (
  client: Client,
  { slug }: Project,
  filename: string,
  fields: FileFields = {},
) => aFile(client, filename, { isPublic: true, project_id: slug, ...fields })

export async function aProject(client: Client, title: string, isPublic = false) {
  return (await client.projects.create({ title, is_public: isPublic })).project
}

type ProjectFields = Partial<Pick<Project, 'title' | 'short_description' | 'description'>>

/** A public project, as its visitors find it. */
export async function aPublicProject(client: Client, fields: ProjectFields = {}): Promise<Project> {
  return (await client.projects.create({ title: 'Lantern', is_public: true, ...fields })).project
}

/** Answers the question that is open. */
export async function answer(page: Page, question: string | RegExp, button: string): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: question })
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/**
 * Keeps what the page shows where the test has failed. Playwright's own setting takes a picture of
 * every page that closes, also in tests that pass.
 */
async function keepPicture(page: Page, info: TestInfo): Promise<void> {
  if (info.status !== info.expectedStatus)
    await page.screenshot({ path: info.outputPath('page.png') })
}
