import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** How long a test asks until something is so, where it does not say: a busy machine takes its time, in ms. */
const expect = { poll: { timeout: 20_000 } }

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
          include: ['tests/unit/**/*.test.ts', 'tests/architecture.test.ts'],
          testTimeout: 60_000,
          expect,
        },
      },
      { test: { name: 'api', include: ['tests/api/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, expect } },
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
