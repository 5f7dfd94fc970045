import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright/test'
import { loaded, test as base } from '../desktop-test'
import { repoRoot } from './launch'
import { openNetwork, type Network } from '../../machines/network'
import { browserOn, launchOn } from '../../machines/on-machine'
import { keepPictures } from './pictures'
import { userAgents } from '../../install/user-agents'

interface Fixtures {
  network: Network
  /** For everything that this run writes; the data folder in it does not exist yet. */
  folder: string
  /** The app, on the host machine. */
  app: ElectronApplication
  /** The creator's window. */
  window: Page
  /** The page of a browser on the visitor's machine. */
  visitor: Page
  /** Keeps a picture of a step, for people to look at. */
  picture: (page: Page, name: string) => Promise<void>
}

/**
 * `test` for the main job: a creator at the host, a visitor and a CI job on machines of their own.
 */
export const test = base.extend<Fixtures>({
  network: async ({}, use, testInfo) => {
    const network = openNetwork()
    testInfo.annotations.push({ type: 'network', description: network.kind })
    await use(network)
    network.close()
  },
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-main-job-'))
    await use(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },
  app: async ({ network, folder }, use, info) => {
    const app = await launchOn(network.host, folder)
    await use(app)
    await keepPictures(info)
    await app.close()
  },
  window: async ({ app }, use) => use(await loaded(app)),
  visitor: async ({ network, folder }, use) => {
    const browser = await browserOn(network.visitor, folder)
    await use(await browser.newPage({ userAgent: userAgents['Chrome on Android'] }))
    await browser.close()
  },
  picture: async ({}, use, testInfo) => {
    const pictures = join(repoRoot, 'test-results/main-job')
    await rm(pictures, { recursive: true, force: true })
    await mkdir(pictures, { recursive: true })
    let number = 0
    await use(async (page, name) => {
      number += 1
      const path = join(pictures, `${String(number).padStart(2, '0')}-${name}.png`)
      await page.screenshot({ path })
      await testInfo.attach(name, { path, contentType: 'image/png' })
    })
  },
})
