import { unavailable, type Outcome, type Step } from './outcome'
import { runSuite, WORKERS_ALONE } from './suite'
import { findChromium, unpackChromium } from './tools/chromium'
import { foundOrInstalled, onPath } from './tools/debian'
import { openDisplay } from './tools/display'
import { findElectron } from './tools/electron'

type Progress = (done: number) => void

/** `journeys`: those of tests/support/journeys.ts, which `npm test` runs. `rest`: the others. */
export type Part = 'journeys' | 'rest' | 'all'

/** Page tests in the pinned Chromium. */
export const ui = (part: Part): Step => ({
  name: 'ui',
  needsBuild: true,
  async run(onProgress) {
    const chromium = await findChromium()
    if ('missing' in chromium) return unavailable(chromium.missing)
    return inChromium({ name: 'ui', path: chromium.path, part }, onProgress)
  },
})

/**
 * All page tests in the oldest and the newest Chromium of Debian, which differ in the events that a
 * page gets.
 */
export const otherBrowsers: Step[] = (['oldest', 'newest'] as const).map((which) => ({
  name: `ui ${which}`,
  needsBuild: true,
  async run(onProgress) {
    const path = await unpackChromium(which)
    return inChromium({ name: `ui ${which}`, path, part: 'all' }, onProgress)
  },
}))

/** The real Electron window, and a visitor's Chromium. */
export const desktop = (part: Part): Step => ({
  name: 'desktop',
  needsBuild: true,
  waits: true,
  async run(onProgress) {
    const chromium = await findChromium()
    const electron = await findElectron()
    const display = await openDisplay()
    if ('missing' in chromium || 'missing' in electron || 'missing' in display)
      return unavailable(
        [chromium, electron, display]
          .flatMap((found) => ('missing' in found ? found.missing : []))
          .join(', '),
      )
    // Each worker opens its own.
    display.close()

    const env = { SLIPWAY_CHROMIUM: chromium.path, SLIPWAY_ELECTRON: electron.path }
    return playwright({ name: 'desktop', env: { ...env, SLIPWAY_TEST_PART: part } }, onProgress)
  },
})

const programs = {
  SLIPWAY_CHROMIUM: findChromium,
  SLIPWAY_FIREFOX: () => foundOrInstalled(() => onPath('firefox-esr', 'firefox'), 'firefox-esr'),
  /** Starts the small browser of WebKitGTK. */
  SLIPWAY_WEBKIT_DRIVER: () => foundOrInstalled(() => onPath('WebKitWebDriver'), 'WebKitWebDriver'),
}

/**
 * The same journeys in three engines. A missing engine is a failure, because the full run must
 * cover all.
 */
export const engines: Step = { name: 'engines', needsBuild: true, waits: true, run: inEachEngine }

function inChromium(
  { name, path, part }: { name: string; path: string; part: Part },
  onProgress: Progress,
) {
  const env = { SLIPWAY_CHROMIUM: path, SLIPWAY_TEST_PART: part }
  return playwright({ name, project: 'ui', env, args: [`--workers=${WORKERS_ALONE}`] }, onProgress)
}

async function inEachEngine(onProgress: Progress): Promise<Outcome> {
  const env: Record<string, string> = {}
  for (const [variable, find] of Object.entries(programs)) {
    const program = await find()
    if ('missing' in program) return { ...unavailable(program.missing), failed: 1 }
    env[variable] = program.path
  }
  return playwright({ name: 'engines', env }, onProgress)
}

interface Pages {
  name: string
  project?: string
  env: Record<string, string>
  args?: readonly string[]
}

/**
 * Playwright sets FORCE_COLOR for its workers; with NO_COLOR set, every Node of a test would warn.
 */
const playwright = ({ name, project = name, env, args = [] }: Pages, onProgress: Progress) =>
  runSuite(
    {
      name,
      projects: [project],
      runner: 'playwright',
      args: ['test', ...args],
      env: { ...env, NO_COLOR: undefined },
    },
    onProgress,
  )
