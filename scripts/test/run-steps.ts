import type { Outcome, Step } from './outcome'
import { Progress } from './progress'

interface Sums {
  passed: number
  failed: number
  cpuSeconds: number
  /** Tests that passed at the second try only. */
  flaky: string[]
  /** Tests that failed, and steps that failed without a failing test. */
  failures: string[]
  /** Steps that did not run, and their missing tools. */
  notRun: string[]
}

/** Runs the steps in order, `width` at a time, and prints a line for each. Returns the sums. */
export async function runSteps(
  steps: readonly Step[],
  width = 1,
  out: Pick<NodeJS.WriteStream, 'write' | 'isTTY'> = process.stdout,
): Promise<Sums> {
  const progress = new Progress(out)
  const total: Sums = {
    passed: 0,
    failed: 0,
    cpuSeconds: 0,
    flaky: [],
    failures: [],
    notRun: [],
  }

  const waiting = [...steps]
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const start = performance.now()
      const onProgress = progress.begin(step.name)
      const outcome = await step.run(onProgress).catch(broken)
      progress.end(step.name, describe(step.name, outcome, (performance.now() - start) / 1000))

      total.passed += outcome.passed
      total.failed += outcome.failed
      total.cpuSeconds += outcome.cpuSeconds ?? 0
      total.flaky.push(...(outcome.flaky ?? []))
      if (outcome.failed > 0) total.failures.push(...(outcome.failures ?? [`all of ${step.name}`]))
      if (outcome.needs !== undefined)
        total.notRun.push(
          `${outcome.passed > 0 ? 'parts of ' : ''}${step.name} (needs ${outcome.needs})`,
        )
    }
  }

  await Promise.all(Array.from({ length: width }, lane))
  progress.close()
  return total
}

/** A step that throws fails; the others still run. */
const broken = (cause: unknown): Outcome => ({ passed: 0, failed: 1, details: String(cause) })

function describe(name: string, outcome: Outcome, seconds: number): string {
  const { passed, failed, note, slowest = [], cpuSeconds = 0, details } = outcome
  const counts = `${passed} passed, ${failed} failed`.padEnd(24)
  const line =
    `${name.padEnd(12)}${failed > 0 ? '✗' : '✓'} ${counts}${seconds.toFixed(1).padStart(6)} ` +
    `s${cpuSeconds.toFixed(1).padStart(8)} CPU s`
  return [
    note ? `${line}  ${note}` : line,
    ...slowest.map(
      (test) => `${' '.repeat(14)}${(test.ms / 1000).toFixed(1).padStart(5)} s  ${test.name}`,
    ),
    ...(details ? [`${details.trimEnd()}\n`] : []),
  ].join('\n')
}
