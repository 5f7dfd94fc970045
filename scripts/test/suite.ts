import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from './outcome'
import { Results } from './results'
import { root, tool } from './tool'

const LOOK_MS = 500
/** Workers of a suite that runs alone: its tests wait for a quarter of their time, so one more than there are cores. */
export const WORKERS_ALONE = availableParallelism() + 1

interface Suite {
  name: string
  runner: 'vitest' | 'playwright'
  args: readonly string[]
  env?: Record<string, string | undefined>
}

/** Runs the tests of one project, and reports their number while they run. */
export async function runSuite(
  { name, runner, args, env = {} }: Suite,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const results = new Results(join(root, `test-results/${name}.jsonl`))
  const look = setInterval(() => {
    results.update()
    onProgress(results.all.length)
  }, LOOK_MS)
  const reporter = join(root, `scripts/test/reporters/${runner}.ts`)
  const reporters = runner === 'vitest' ? ['--reporter=dot', `--reporter=${reporter}`] : [`--reporter=dot,${reporter}`]
  const { code, output, cpuSeconds } = await tool(runner, [...args, '--project', name, ...reporters], {
    ...env,
    SLIPWAY_TEST_RESULTS: results.file,
  }).finally(() => clearInterval(look))
  results.update()
  return { ...results.outcome(code, output), cpuSeconds }
}

export const vitest = (name: string, workers?: number) => ({
  name,
  run: (onProgress: (done: number) => void) => {
    const args = workers === undefined ? ['run'] : ['run', `--maxWorkers=${workers}`]
    return runSuite({ name, runner: 'vitest', args, env: { NO_COLOR: '1' } }, onProgress)
  },
})
