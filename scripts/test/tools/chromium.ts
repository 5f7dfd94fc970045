import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { foundOrInstalled, onPath } from './debian'
import type { Found } from './found'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Playwright's own Chromium, else the system's: the headless shell first, which starts and draws faster. */
export function findChromium(): Promise<Found> {
  return foundOrInstalled(() => own() ?? onPath('chromium-headless-shell', ...names), 'chromium-headless-shell')
}

/** One that has pages of its own, such as the list of its downloads; the headless shell has none. */
export const wholeChromium = (): string | undefined => own() ?? onPath(...names)

function own(): string | undefined {
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}
