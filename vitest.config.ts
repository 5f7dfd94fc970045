import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { isFull } from './tests/faults/support/rounds.ts'

/** How long a test asks until something is so, where it does not say: a busy machine takes its time, in ms. */
const expect = { poll: { timeout: 20_000 } }
/** The same where asking costs little: the server is in the test's own process. */
const often = { poll: { ...expect.poll, interval: 20 } }

/** What starts the built server in processes of its own. `*.full.test.ts`: outside scanners and studies of time. */
const onBuiltServer = {
  setupFiles: 'tests/support/end-with-runner.ts',
  exclude: isFull ? [] : ['tests/**/*.full.test.ts'],
  hookTimeout: 60_000,
  expect,
}

/** Suites that run under plain Node. Those that need a browser or Electron: playwright.config.ts. */
export default defineConfig({
  test: {
    // Vitest leaves one core free, which is half of a machine with two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A second try is counted and named in the summary.
    retry: process.env['CI'] ? 1 : 0,
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup: 'tests/support/memory-folder.ts',
          include: ['tests/unit/**/*.test.ts', 'tests/architecture.test.ts'],
          exclude: isFull ? [] : ['tests/**/*.full.test.ts'],
          testTimeout: 60_000,
          expect: often,
        },
      },
      {
        test: {
          name: 'api',
          globalSetup: 'tests/support/memory-folder.ts',
          include: ['tests/api/**/*.test.ts'],
          // Every file imports the same server, which keeps no state of its own.
          isolate: false,
          provide: { passwordCost: 4 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: often,
        },
      },
      {
        test: {
          name: 'security',
          ...onBuiltServer,
          globalSetup: 'tests/faults/support/build-server.ts',
          include: ['tests/security/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'faults',
          ...onBuiltServer,
          globalSetup: ['tests/faults/support/bring-tools.ts', 'tests/faults/support/build-server.ts'],
          include: ['tests/faults/**/*.test.ts'],
          testTimeout: 300_000,
        },
      },
    ],
  },
})
