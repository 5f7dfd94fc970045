import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { foundOrInstalled, onPath } from './debian'
import type { Found } from './found'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** SLIPWAY_CHROMIUM, else Playwright's own, else the system's; prefers the headless shell, which renders faster. */
export async function findChromium(): Promise<Found> {
  const chosen = process.env['SLIPWAY_CHROMIUM']
  if (chosen) return existsSync(chosen) ? { path: chosen } : { missing: `SLIPWAY_CHROMIUM has no file (${chosen})` }
  return foundOrInstalled(() => own() ?? onPath('chromium-headless-shell', ...names), 'chromium-headless-shell')
}

/** A full Chromium, for pages such as its download list, which the headless shell lacks. */
export const wholeChromium = (): string | undefined => own() ?? onPath(...names)

function own(): string | undefined {
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}
