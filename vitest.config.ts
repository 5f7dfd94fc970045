import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { allowedRetries } from './scripts/test/outcome.ts'
import { isFull } from './tests/support/system/rounds.ts'

/**
 * How long a test asks until something is so, where it does not say: a busy machine takes its time,
 * in ms.
 */
const expect = { poll: { timeout: 20_000 } }
/** The same where asking costs little: the server is in the test's own process. */
const often = { poll: { ...expect.poll, interval: 20 } }

/** What holds for each suite; Vitest passes nothing on to its projects. */
const everywhere = {
  // Files of a worker share what they import: loading it once for each file cost a third of the CPU
  // time.
  isolate: false,
  // Each start of a host drops a context, for which V8 would collect the heap of the whole worker.
  execArgv: ['--no-memory-reducer'],
  retry: allowedRetries,
  // Expected times are written in UTC.
  env: { TZ: 'UTC' },
  // A difference of files can have megabytes, which hide every other failure.
  diff: { truncateThreshold: 60 },
  // Outside scanners and studies of time.
  exclude: isFull ? [] : ['tests/**/*.full.test.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: often,
}

/** Tests of security that start a host of their own in another process, or study one for long. */
const withoutCluster = [
  'tests/security/**/*.full.test.ts',
  'tests/security/access/{17,28}-*.test.ts',
  'tests/security/requests/{13-corpus,13-fuzz,24-*}.test.ts',
]

/** What starts the built server in processes of its own. */
const onBuiltServer = {
  ...everywhere,
  setupFiles: 'tests/support/system/end-with-runner.ts',
  expect,
}

/**
 * Suites that run under plain Node. Those that need a browser or Electron: playwright.config.ts.
 */
export default defineConfig({
  test: {
    // Vitest leaves one core free, which is half of a machine with two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          ...everywhere,
          name: 'unit',
          globalSetup: 'tests/support/system/memory-folder.ts',
          include: ['tests/unit/**/*.test.ts', 'tests/architecture.test.ts'],
        },
      },
      {
        test: {
          ...everywhere,
          name: 'api',
          globalSetup: 'tests/support/system/memory-folder.ts',
          include: ['tests/api/**/*.test.ts'],
          provide: { passwordCost: 4 },
        },
      },
      {
        // What unit and api tests prove with programs that a bare machine lacks: curl, apt,
        // PostgreSQL, Git …
        test: {
          ...everywhere,
          name: 'programs',
          globalSetup: [
            'tests/support/system/memory-folder.ts',
            'tests/support/cluster/bring-postgres.ts',
            'tests/support/bucket/bring-engine.ts',
            'tests/support/world/build-server.ts',
          ],
          include: ['tests/programs/**/*.test.ts'],
          provide: { passwordCost: 4 },
        },
      },
      {
        test: {
          ...everywhere,
          name: 'three-hosts',
          globalSetup: [
            'tests/support/system/memory-folder.ts',
            'tests/support/cluster/bring-postgres.ts',
            'tests/support/bucket/bring-engine.ts',
            'tests/support/world/build-server.ts',
          ],
          include: [
            'tests/{api,security/{access,requests}}/**/*.test.ts',
            'tests/programs/{accounts,calls,downloads,feeds,network,updaters}/*.test.ts',
          ],
          exclude: [...everywhere.exclude, ...withoutCluster],
          provide: { passwordCost: 4 },
          env: { ...everywhere.env, SLIPWAY_TEST_HOSTS: 'three' },
        },
      },
      {
        test: {
          name: 'security',
          ...onBuiltServer,
          globalSetup: [
            'tests/support/system/memory-folder.ts',
            'tests/support/world/build-server.ts',
          ],
          include: ['tests/security/**/*.test.ts'],
          // Compares hosts with each other.
          exclude: [...everywhere.exclude, 'tests/security/requests/41-*'],
          provide: { passwordCost: 4 },
        },
      },
      {
        test: {
          name: 'faults',
          ...onBuiltServer,
          globalSetup: [
            'tests/faults/support/bring-tools.ts',
            'tests/support/cluster/bring-postgres.ts',
            'tests/support/bucket/bring-engine.ts',
            'tests/support/world/build-server.ts',
          ],
          include: ['tests/faults/**/*.test.ts'],
          exclude: [...everywhere.exclude, 'tests/faults/bucket/**'],
          testTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'bucket',
          ...onBuiltServer,
          globalSetup: [
            'tests/support/system/memory-folder.ts',
            'tests/support/bucket/bring-engine.ts',
            'tests/support/cluster/bring-postgres.ts',
            'tests/support/world/build-server.ts',
          ],
          include: ['tests/faults/bucket/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'packages',
          ...onBuiltServer,
          globalSetup: [
            'tests/packages/support/build-packages.ts',
            'tests/support/world/build-server.ts',
          ],
          include: ['tests/packages/**/*.test.ts'],
          testTimeout: 900_000,
        },
      },
      {
        test: {
          name: 'windows',
          ...onBuiltServer,
          globalSetup: 'tests/windows/support/start-wine.ts',
          include: ['tests/windows/**/*.test.ts', 'tests/security/requests/13-corpus.test.ts'],
          testTimeout: 300_000,
        },
      },
    ],
  },
})
