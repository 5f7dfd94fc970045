import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { isFull } from './tests/faults/support/rounds.ts'

/** How long a test asks until something is so, where it does not say: a busy machine takes its time, in ms. */
const expect = { poll: { timeout: 20_000 } }
/** The same where asking costs little: the server is in the test's own process. */
const often = { poll: { ...expect.poll, interval: 20 } }

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
          globalSetup: 'tests/faults/support/build-server.ts',
          include: ['tests/security/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect,
        },
      },
      {
        test: {
          name: 'faults',
          globalSetup: 'tests/faults/support/build-server.ts',
          include: ['tests/faults/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          expect,
        },
      },
    ],
  },
})
