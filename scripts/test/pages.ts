import { unavailable, type Outcome, type Step } from './outcome'
import { runSuite, WORKERS_ALONE } from './suite'
import { findChromium } from './tools/chromium'
import { openDisplay } from './tools/display'
import { findElectron } from './tools/electron'

type Progress = (done: number) => void

export const ui: Step = { name: 'ui', run: inChromium }

/** The real Electron window, and a visitor's Chromium beside it. */
export const desktop: Step = { name: 'desktop', run: inElectron }

async function inChromium(onProgress: Progress): Promise<Outcome> {
  const chromium = await findChromium()
  if ('missing' in chromium) return unavailable(chromium.missing)
  const env = { SLIPWAY_CHROMIUM: chromium.path }
  return playwright('ui', env, onProgress, [`--workers=${WORKERS_ALONE}`])
}

async function inElectron(onProgress: Progress): Promise<Outcome> {
  const chromium = await findChromium()
  if ('missing' in chromium) return unavailable(chromium.missing)
  const electron = await findElectron()
  if ('missing' in electron) return unavailable(electron.missing)
  const display = await openDisplay()
  if ('missing' in display) return unavailable(display.missing)
  // Each worker opens its own.
  display.close()
  const env = { SLIPWAY_CHROMIUM: chromium.path, SLIPWAY_ELECTRON: electron.path }
  return playwright('desktop', env, onProgress)
}

/** Playwright sets FORCE_COLOR for its workers; with NO_COLOR set, every Node of a test would warn. */
const playwright = (name: string, env: Record<string, string>, onProgress: Progress, args: string[] = []) =>
  runSuite({ name, runner: 'playwright', args: ['test', ...args], env: { ...env, NO_COLOR: undefined } }, onProgress)
