import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test as base, type ElectronApplication, type Page } from 'playwright/test'
import { openDisplay } from '../../../scripts/test/tools/display'
import { elsewhere, type Elsewhere } from './elsewhere'
import { launch } from './app/launch'
import { addPeople } from '../world/people'
import { keepPictures } from './app/pictures'

interface Fixtures {
  /**
   * Whether the tests that say so use one app together: they leave its window, data and settings as
   * they were.
   */
  sharesApp: boolean
  /** The accounts, the host account first. */
  people: readonly string[]
  /** Empty but for these people, and the settings, which let the system choose the port. */
  dataDir: string
  /** Of an app that a test has opened by itself, and left open when it failed. */
  pictures: undefined
  app: ElectronApplication
  /** The page in the window, loaded. */
  page: Page
  /** Our own origin, as the window sees it. */
  origin: string
  /** A third party's server, at another port of this machine. */
  elsewhere: Elsewhere
}

interface WorkerFixtures {
  /** Each worker has its own, with a clipboard and a focus of its own. */
  display: Record<string, string>
  sharedApp: SharedApp
}

/** `test` with the real app on a data folder of its own, or on one that it shares. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  display: [
    async ({}, use) => {
      const display = await openDisplay()
      if ('missing' in display) throw new Error(display.missing)
      Object.assign(process.env, display.env)
      await use(display.env)
      display.close()
    },
    { scope: 'worker', auto: true },
  ],
  sharedApp: [
    async ({}, use) => {
      const shared = new SharedApp()
      await use(shared)
      await shared.close()
    },
    { scope: 'worker' },
  ],
  sharesApp: [false, { option: true }],
  people: [[], { option: true }],
  dataDir: async ({ sharesApp, sharedApp, people }, use) => {
    if (sharesApp) return use((await sharedApp.open()).dataDir)
    const dataDir = await newDataDir()
    if (people.length > 0) await addPeople(dataDir, people)
    await use(dataDir)
    await remove(dataDir)
  },
  pictures: [
    async ({}, use, info) => {
      await use(undefined)
      await keepPictures(info)
    },
    { auto: true },
  ],
  app: async ({ dataDir, sharesApp, sharedApp }, use, info) => {
    if (sharesApp) return use((await sharedApp.open()).app)
    const app = await launch(dataDir)
    await use(app)
    await keepPictures(info)
    await app.close()
  },
  page: async ({ app, sharesApp }, use, info) => {
    const page = await loaded(app)
    const { origin } = new URL(page.url())
    await use(page)
    // After a failure the worker ends, and its app with it.
    if (!sharesApp || info.status !== info.expectedStatus) return
    await page.unrouteAll()
    // Requests of the test may still be running and would interfere.
    await expect(() => page.goto(origin)).toPass()
  },
  origin: async ({ page }, use) => use(new URL(page.url()).origin),
  elsewhere: async ({}, use) => {
    const server = await elsewhere()
    await use(server)
    server.close()
  },
})

/** One app for all tests of a worker that share it, opened by the first of them. */
class SharedApp {
  #opening: Promise<{ app: ElectronApplication; dataDir: string }> | undefined

  open(): Promise<{ app: ElectronApplication; dataDir: string }> {
    return (this.#opening ??= newDataDir().then(async (dataDir) => ({
      app: await launch(dataDir),
      dataDir,
    })))
  }

  async close(): Promise<void> {
    if (!this.#opening) return
    const { app, dataDir } = await this.#opening
    await app.close()
    await remove(dataDir)
  }
}

async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-desktop-'))
  await writeFile(join(dataDir, 'settings.json'), '{ "port": 0 }')
  return dataDir
}

const remove = (dataDir: string) => rm(dataDir, { recursive: true, force: true, maxRetries: 5 })

/** The page of the app's window, once it shows something. */
export async function loaded(app: ElectronApplication): Promise<Page> {
  const page = await app.firstWindow()
  const heading = page.getByRole('heading', { level: 1 }).first()
  await heading.waitFor().catch(async (cause: unknown) => {
    const shown = await page.locator('html').innerHTML({ timeout: 2000 }).catch(String)
    throw new Error(`The window shows no heading at ${page.url()}: ${shown.slice(0, 1000)}`, {
      cause,
    })
  })
  return page
}
