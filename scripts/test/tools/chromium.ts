import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { foundOrInstalled, onPath } from './debian'
import type { Found } from './found'

/** Playwright's own Chromium, else the system's. */
export function findChromium(): Promise<Found> {
  const own = chromium.executablePath()
  return foundOrInstalled('Chromium', () =>
    existsSync(own) ? own : onPath('chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'),
  )
}
