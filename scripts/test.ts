import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildStep, checks } from './test/checks'
import type { Step } from './test/outcome'
import { desktop, engines, otherBrowsers, ui } from './test/pages'
import { runSteps } from './test/run-steps'
import { vitest, WORKERS_ALONE } from './test/suite'
import { root } from './test/tool'
import { describeTools } from './test/tools/versions'

/**
 * `npm test` needs neither root nor programs of the system. `--fast` (`npm run check`) runs what
 * needs neither a host nor a browser, `--all` everything, `--rest` what `npm test` leaves out, and
 * `--full` adds other browsers and systems. Names of steps (`npm test -- api desktop`) run those,
 * whole.
 */
const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('-'))
// The processes of the tests read it, too.
if (args.includes('--install')) process.env['SLIPWAY_TEST_INSTALL'] = 'true'
const { toolsStep } = await import('./test/tools/debian')

const busy = { workers: WORKERS_ALONE }
const quick = [vitest(['unit', 'api'], busy), ui('journeys'), desktop('journeys')]
const programs = vitest(['programs'], busy)
const patient = [
  vitest(['faults'], { needsBuild: true, waits: true }),
  vitest(['security'], { waits: true }),
  vitest(['bucket'], { waits: true }),
]
const all = [
  vitest(['unit'], busy),
  vitest(['api'], busy),
  programs,
  ui('all'),
  desktop('all'),
  ...patient,
]
const onlyInFull = [
  ...otherBrowsers,
  engines,
  vitest(['three-hosts']),
  vitest(['windows'], { waits: true }),
  vitest(['packages'], { needsBuild: true }),
]

function chooseSuites(): Step[] {
  const full = args.includes('--full')
  if (names.length > 0) return [...all, ...onlyInFull].filter(({ name }) => names.includes(name))
  if (args.includes('--fast')) return [vitest(['unit'], busy)]
  if (args.includes('--rest')) return [programs, ui('rest'), desktop('rest'), ...patient]
  if (full) return [...all, ...onlyInFull]
  return args.includes('--all') ? all : quick
}

await mkdir('test-results', { recursive: true })
const suites = chooseSuites()
const needsBuild = suites.some((suite) => suite.needsBuild)
const needsTools = suites.some((suite) => suite === programs || patient.includes(suite))
const chosenChecks = names.length > 0 ? checks.filter(({ name }) => names.includes(name)) : checks
const before = await runSteps(
  [
    ...(needsTools ? [toolsStep] : []),
    ...(needsBuild ? [buildStep] : []),
    ...(args.includes('--rest') ? [] : chosenChecks),
  ],
  2,
)
console.log((await describeTools(suites.map(({ name }) => name))).join('\n'))

// A running build has removed its stamp.
const isBuilt = existsSync('dist/.sources')
if (needsBuild && isBuilt) process.env['SLIPWAY_TEST_SERVER'] = join(root, 'dist/server')
const runnable = isBuilt ? suites : suites.map(withoutBuild)
const alone = await runSteps(runnable.filter(({ waits }) => !waits))
const together = await runSteps(
  runnable.filter(({ waits }) => waits),
  2,
)

const runs = [before, alone, together]
const sum = (name: 'passed' | 'failed' | 'cpuSeconds') =>
  runs.reduce((total, run) => total + run[name], 0)
const passed = sum('passed')
const failed = sum('failed')
const time = `${inMinutes(performance.now() / 1000)}, ${inMinutes(sum('cpuSeconds'))} of CPU`
const notRun = runs.flatMap((run) => run.notRun)
for (const test of runs.flatMap(({ flaky }) => flaky))
  console.log(`PASSED AT THE SECOND TRY ONLY, mend it first: ${test}`)
for (const test of runs.flatMap(({ failures }) => failures)) console.log(`FAILED: ${test}`)
console.log(
  `${passed} passed, ${failed} failed in ` +
    `${time}${notRun.length > 0 ? `. NOT RUN: ${notRun.join('; ')}` : ''}`,
)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

function inMinutes(seconds: number): string {
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

/** Without a build, these suites count as failed. */
function withoutBuild(step: Step): Step {
  if (!step.needsBuild) return step
  return {
    name: step.name,
    run: () => Promise.resolve({ passed: 0, failed: 1, note: 'not run: the build failed' }),
  }
}
