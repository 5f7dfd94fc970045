import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildStep, checks } from './test/checks'
import type { Step } from './test/outcome'
import { desktop, engines, ui } from './test/pages'
import { runSteps } from './test/run-steps'
import { vitest, WORKERS_ALONE } from './test/suite'
import { root } from './test/tool'
import { toolsStep } from './test/tools/debian'
import { describeTools } from './test/tools/versions'

/**
 * `npm test` runs everything; `--fast` (`npm run check`) what needs neither a host nor a browser; `--full` (`npm run
 * test:full`) also the journeys in three browser engines, the API and its permissions against three hosts and the host on Windows; names of steps (`npm test -- api desktop`) only those.
 */
const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('-'))
const suites = args.includes('--fast')
  ? [vitest('unit', WORKERS_ALONE)]
  : [
      vitest('unit', WORKERS_ALONE),
      vitest('api', WORKERS_ALONE),
      ui,
      vitest('faults'),
      desktop,
      vitest('security'),
      vitest('bucket'),
      ...(args.includes('--full') ? [engines, vitest('three-hosts'), vitest('windows')] : []),
    ]
const chosen = (steps: Step[]) => steps.filter(({ name }) => names.length === 0 || names.includes(name))
const onTheBuild = new Set(['faults', 'ui', 'desktop', 'engines'])

/** Suites that mostly wait (disks, network, windows, time limits): two of them run at once. */
const patient = new Set(['security', 'faults', 'desktop', 'engines', 'bucket', 'windows'])

await mkdir('test-results', { recursive: true })
const wanted = chosen(suites)
const needsBuild = wanted.some(({ name }) => onTheBuild.has(name))
const before = await runSteps([...(needsBuild ? [toolsStep, buildStep] : []), ...chosen(checks)], 2)
console.log((await describeTools(wanted.map(({ name }) => name))).join('\n'))
// A running build has removed its stamp.
const isBuilt = existsSync('dist/.sources')
if (needsBuild && isBuilt) process.env['SLIPWAY_TEST_SERVER'] = join(root, 'dist/server')
const runnable = isBuilt ? wanted : wanted.map(withoutBuild)
const alone = await runSteps(runnable.filter(({ name }) => !patient.has(name)))
const together = await runSteps(
  runnable.filter(({ name }) => patient.has(name)),
  2,
)
const runs = [before, alone, together]
const sum = (name: 'passed' | 'failed' | 'cpuSeconds') => runs.reduce((total, run) => total + run[name], 0)
const passed = sum('passed')
const failed = sum('failed')
const time = `${inMinutes(performance.now() / 1000)}, ${inMinutes(sum('cpuSeconds'))} of CPU`
for (const { flaky } of runs)
  for (const test of flaky) console.log(`PASSED AT THE SECOND TRY ONLY, mend it first: ${test}`)
console.log(`${passed} passed, ${failed} failed in ${time}`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

function inMinutes(seconds: number): string {
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

/** Without a build, these suites count as failed. */
function withoutBuild(step: Step): Step {
  if (!onTheBuild.has(step.name)) return step
  return { name: step.name, run: () => Promise.resolve({ passed: 0, failed: 1, note: 'not run: the build failed' }) }
}
