import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { foundOrInstalled, onPath } from './debian'
import type { Found } from './found'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Playwright's own Chromium, else the system's; prefers the headless shell, which starts and renders faster. */
export function findChromium(): Promise<Found> {
  return foundOrInstalled(() => own() ?? onPath('chromium-headless-shell', ...names), 'chromium-headless-shell')
}

/** A full Chromium, for pages such as its download list, which the headless shell lacks. */
export const wholeChromium = (): string | undefined => own() ?? onPath(...names)

function own(): string | undefined {
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}
