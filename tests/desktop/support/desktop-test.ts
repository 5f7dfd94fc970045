import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, type ElectronApplication, type Page } from 'playwright/test'
import { elsewhere, type Elsewhere } from './elsewhere'
import { launch } from './launch'

interface Fixtures {
  /** Empty but for the settings, which let the system choose the port. */
  dataDir: string
  app: ElectronApplication
  /** The page in the window, loaded. */
  page: Page
  /** Our own origin, as the window sees it. */
  origin: string
  /** A server of somebody else, at another port of this machine. */
  elsewhere: Elsewhere
}

/** `test` with the real app on a data folder of its own. */
export const test = base.extend<Fixtures>({
  dataDir: async ({}, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'slipway-desktop-'))
    await writeFile(join(dataDir, 'settings.json'), '{ "port": 0 }')
    await use(dataDir)
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  },
  app: async ({ dataDir }, use) => {
    const app = await launch(dataDir)
    await use(app)
    await app.close()
  },
  page: async ({ app }, use) => use(await loaded(app)),
  origin: async ({ page }, use) => use(new URL(page.url()).origin),
  elsewhere: async ({}, use) => {
    const server = await elsewhere()
    await use(server)
    server.close()
  },
})

/** The page of the app's window, once it shows something. */
export async function loaded(app: ElectronApplication): Promise<Page> {
  const page = await app.firstWindow()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  return page
}
