import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { _electron, type ElectronApplication } from 'playwright/test'
import { watchForPictures } from './pictures'

export const repoRoot = join(import.meta.dirname, '../../../..')

/** The Electron that scripts/test.ts found. */
export function electronPath(): string {
  const path = process.env['SLIPWAY_ELECTRON']
  if (path === undefined)
    throw new Error('SLIPWAY_ELECTRON names no Electron: run these tests with npm test')
  return path
}

/**
 * What every start in a test needs: no graphics card, and on Linux no sandbox, which root,
 * containers and some distributions do not allow. Playwright leaves it out, too.
 */
const machineSwitches = ['--disable-gpu', ...(process.platform === 'linux' ? ['--no-sandbox'] : [])]

/** The same, without dialogs, which would block the test. */
export const testSwitches = [...machineSwitches, '--no-dialog']

/**
 * Playwright lets the app wait until it is connected, but only an Electron that it found by itself.
 */
const waitForPlaywright = [
  '-r',
  join(repoRoot, 'node_modules/playwright-core/lib/server/electron/loader.js'),
]

interface LaunchOptions {
  executablePath?: string
  /** The folder of the app; else what this repository has built. */
  appDir?: string
  /** The test answers them itself. */
  dialogs?: boolean
  /** Words for Electron itself, before those of the app. */
  before?: readonly string[]
  /** Further words of the command line. */
  args?: readonly string[]
  /** Beside the environment of the tests. */
  env?: Record<string, string>
}

/** Opens the app on a data folder and lets the test drive it. */
export async function launch(
  dataDir: string,
  options: LaunchOptions = {},
): Promise<ElectronApplication> {
  const {
    executablePath = electronPath(),
    appDir = repoRoot,
    dialogs = false,
    before = [],
    args = [],
    env = {},
  } = options
  const switches = dialogs ? machineSwitches : testSwitches
  const app = await _electron.launch({
    executablePath,
    args: [...waitForPlaywright, ...before, ...switches, appDir, '--data', dataDir, ...args],
    env: { ...(process.env as Record<string, string>), ...env },
  })
  return watchForPictures(app)
}

/** Quits the app as its menu does. It may end before it has told so. */
export const quit = (app: ElectronApplication): Promise<unknown> =>
  app.evaluate(({ app: program }) => void setImmediate(() => program.quit())).catch(() => undefined)

interface Ending {
  code: number | null
  stderr: string
}

/** Starts the app as a person would, without the test's hands on it, and waits for its end. */
export async function runToEnd(args: readonly string[]): Promise<Ending> {
  const child = spawn(electronPath(), [...testSwitches, repoRoot, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [stderr, [code]] = await Promise.all([
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stderr: stderr.split('\n').filter(isOurs).join('\n') }
}

/** Chromium talks about the machine too: about buses, displays and graphics. */
const isOurs = (line: string) => line !== '' && !/^\[\d+[:/]/.test(line)
