import { mkdir, writeFile } from 'node:fs/promises'
import { expect, type TestInfo } from 'playwright/test'
import { test as base } from '../../support/world/page'
import { Relay } from '../../support/network/line'
import { Person } from './person'
import { openPuppeteerTab } from './puppeteer-tab'
import type { Tab, TabOptions } from './tab'
import { openWebKitTab } from './webkit-tab'

export { expect }

const { SLIPWAY_CHROMIUM = '', SLIPWAY_FIREFOX = '', SLIPWAY_WEBKIT_DRIVER = '' } = process.env

const open: Record<string, (options: TabOptions) => Promise<Tab>> = {
  Chromium: (options) =>
    openPuppeteerTab({ browser: 'chrome', executablePath: SLIPWAY_CHROMIUM }, options),
  Firefox: (options) =>
    openPuppeteerTab({ browser: 'firefox', executablePath: SLIPWAY_FIREFOX }, options),
  WebKitGTK: (options) => openWebKitTab(SLIPWAY_WEBKIT_DRIVER, options),
}

/** Every journey is made in each of them. */
export const engines = Object.keys(open)

interface Fixtures {
  engine: string
  isDark: boolean
  /** Between the browser and the host, so that it can be cut. */
  line: Relay
  somebody: Person
}

/** `test` with a host of its own, and somebody who has just opened a browser. */
export const test = base.extend<Fixtures>({
  engine: ['', { option: true }],
  isDark: [false, { option: true }],
  line: async ({}, use) => {
    const line = await Relay.open()
    await use(line)
    line.close()
  },
  config: async ({ line }, use) => use({ publicUrl: line.url }),
  somebody: async ({ engine, isDark, line, host }, use, info) => {
    line.leadTo(host.url)
    const [home, downloads] = [info.outputPath('home'), info.outputPath('downloads')]
    for (const folder of [home, downloads]) await mkdir(folder, { recursive: true })
    const tab = await open[engine]!({ home, downloads, isDark })
    await tab.resize(1280, 800)
    await use(new Person(tab, line.url, downloads))
    await keepPicture(tab, info)
    await tab.close()
    expect(tab.complaints, 'errors on the page').toEqual([])
  },
})

async function keepPicture(tab: Tab, info: TestInfo): Promise<void> {
  if (info.status !== info.expectedStatus)
    await writeFile(info.outputPath('page.png'), await tab.picture())
}
