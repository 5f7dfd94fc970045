import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { foundOrInstalled, onPath } from './debian'
import type { Found } from './found'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Playwright's own Chromium, else the system's: the headless shell first, which starts and draws faster. */
export function findChromium(): Promise<Found> {
  const own = chromium.executablePath()
  return foundOrInstalled('Chromium', () => (existsSync(own) ? own : onPath(...names)))
}
