import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'playwright/test'
import { allowedRetries } from './scripts/test/outcome'
import { isFull } from './tests/support/system/rounds'
import { choosePart } from './tests/support/journeys'

const { SLIPWAY_CHROMIUM: executablePath, SLIPWAY_TEST_PART, CI } = process.env
// What hosts note of their folders is not for the person who runs the tests.
process.env['XDG_STATE_HOME'] = join(import.meta.dirname, 'test-results/state')
const asRoot = process.getuid?.() === 0

/** No requests of the browser's own: the tests measure ours, and run without a network. */
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
/**
 * Optimizing code and collecting garbage cost more than they save in pages that live for seconds.
 */
const shortLived = '--js-flags=--no-opt --no-maglev --min-semi-space-size=32'
/**
 * Pages of one host share a process, which keeps what it has compiled while the page of another
 * test opens.
 */
const oneProcess = '--process-per-site'
/** Painting in a process of its own costs more messages than paint. */
const ownPaint = '--in-process-gpu'

/**
 * Suites that drive a page: `ui` in Chromium, `desktop` in the real Electron window
 * (SLIPWAY_ELECTRON), `engines` in Chromium, Firefox and WebKitGTK.
 */
export default defineConfig({
  retries: allowedRetries,
  ...choosePart(SLIPWAY_TEST_PART),
  testDir: 'tests',
  testIgnore: isFull ? [] : ['**/*.full.spec.ts'],
  forbidOnly: CI !== undefined,
  workers: Math.max(2, availableParallelism() - 1),
  fullyParallel: true,
  // Patient, because a machine that runs many suites at once answers late.
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    // Recording every test would double the time of the run.
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [...quiet, shortLived, oneProcess, ownPaint, ...(asRoot ? ['--no-sandbox'] : [])],
    },
  },
  projects: [
    {
      name: 'ui',
      testMatch: ['tests/ui/**/*.spec.ts', 'tests/security/**/{08,25}-*.spec.ts'],
      outputDir: 'test-results/ui',
      timeout: 180_000,
    },
    {
      name: 'desktop',
      testMatch: ['tests/desktop/**/*.spec.ts', 'tests/security/**/{20,21}-*.spec.ts'],
      outputDir: 'test-results/desktop',
      timeout: 180_000,
    },
    {
      name: 'engines',
      testMatch: 'tests/engines/**/*.spec.ts',
      outputDir: 'test-results/engines',
      timeout: 180_000,
    },
  ],
})
