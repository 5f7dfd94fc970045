import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { allowedRetries, type Outcome, type Step } from './outcome'
import { Results } from './results'
import { root, tool } from './tool'

const LOOK_MS = 500

/**
 * Workers of a suite that runs alone: its tests wait for a quarter of their time, so one more than
 * there are cores.
 */
export const WORKERS_ALONE = availableParallelism() + 1

interface Suite {
  /** Name of the step and of its results file. */
  name: string
  projects: readonly string[]
  runner: 'vitest' | 'playwright'
  args: readonly string[]
  env?: Record<string, string | undefined>
}

/**
 * Runs the tests of these projects together, and reports their number while they run. Where failed
 * tests are tried again, so is a run that broke: the tests after that point are in no result.
 */
export async function runSuite(suite: Suite, onProgress: (done: number) => void): Promise<Outcome> {
  const first = await runOnce(suite, onProgress)
  if (!first.isBroken || allowedRetries === 0) return first

  const second = await runOnce(suite, onProgress)
  const cause = `all of ${suite.name}\n${first.details ?? ''}`
  return {
    ...second,
    cpuSeconds: (first.cpuSeconds ?? 0) + (second.cpuSeconds ?? 0),
    ...(second.failed === 0 ? { flaky: [...(second.flaky ?? []), cause] } : {}),
  }
}

async function runOnce(
  { name, projects, runner, args, env = {} }: Suite,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const results = new Results(join(root, `test-results/${name.replaceAll(' ', '-')}.jsonl`))
  const look = setInterval(() => {
    results.update()
    onProgress(results.all.length)
  }, LOOK_MS)

  const reporter = join(root, `scripts/test/reporters/${runner}.ts`)
  const reporters =
    runner === 'vitest'
      ? ['--reporter=dot', `--reporter=${reporter}`]
      : [`--reporter=dot,${reporter}`]
  const chosen = projects.flatMap((project) => ['--project', project])
  const { code, output, cpuSeconds } = await tool(runner, [...args, ...chosen, ...reporters], {
    ...env,
    SLIPWAY_TEST_RESULTS: results.file,
  }).finally(() => clearInterval(look))

  results.update()
  return { ...results.outcome(code, output), cpuSeconds }
}

/** Projects of Vitest in one run, whose workers share what they import. */
export function vitest(
  projects: readonly string[],
  { workers, ...kind }: { workers?: number } & Pick<Step, 'needsBuild' | 'waits'> = {},
): Step {
  const name = projects.join(', ')
  const args = workers === undefined ? ['run'] : ['run', `--maxWorkers=${workers}`]
  return {
    name,
    ...kind,
    run: (onProgress) =>
      runSuite({ name, projects, runner: 'vitest', args, env: { NO_COLOR: '1' } }, onProgress),
  }
}
