import { unavailable, type Outcome, type Step } from './outcome'
import { runSuite, WORKERS_ALONE } from './suite'
import { findChromium } from './tools/chromium'
import { foundOrInstalled, onPath } from './tools/debian'
import { openDisplay } from './tools/display'
import { findElectron } from './tools/electron'

type Progress = (done: number) => void

export const ui: Step = { name: 'ui', run: inChromium }

/** The real Electron window, and a visitor's Chromium beside it. */
export const desktop: Step = { name: 'desktop', run: inElectron }

const programs = {
  SLIPWAY_CHROMIUM: findChromium,
  SLIPWAY_FIREFOX: () => foundOrInstalled(() => onPath('firefox-esr', 'firefox'), 'firefox-esr'),
  /** It starts the small browser of WebKitGTK. */
  SLIPWAY_WEBKIT_DRIVER: () => foundOrInstalled(() => onPath('WebKitWebDriver'), 'WebKitWebDriver'),
}

/** The same journeys in three engines. A missing one is a failure: whoever asks for the full run wants to know. */
export const engines: Step = { name: 'engines', run: inEachEngine }

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

async function inEachEngine(onProgress: Progress): Promise<Outcome> {
  const env: Record<string, string> = {}
  for (const [variable, find] of Object.entries(programs)) {
    const program = await find()
    if ('missing' in program) return { passed: 0, failed: 1, note: `not run: ${program.missing}` }
    env[variable] = program.path
  }
  return playwright('engines', env, onProgress)
}

/** Playwright sets FORCE_COLOR for its workers; with NO_COLOR set, every Node of a test would warn. */
const playwright = (name: string, env: Record<string, string>, onProgress: Progress, args: string[] = []) =>
  runSuite({ name, runner: 'playwright', args: ['test', ...args], env: { ...env, NO_COLOR: undefined } }, onProgress)
