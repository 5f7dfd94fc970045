import type { Outcome, Step } from './outcome'

/** Runs the steps, `width` at a time, and prints one line for each in their order. Answers what they came to together. */
export async function runSteps(steps: readonly Step[], width = 1): Promise<Outcome> {
  const total = { passed: 0, failed: 0 }
  for (const { name, ending } of started(steps, width)) {
    process.stdout.write(name.padEnd(12))
    const { outcome, seconds } = await ending
    console.log(describe(outcome, seconds))
    total.passed += outcome.passed
    total.failed += outcome.failed
  }
  return total
}

interface Ending {
  outcome: Outcome
  seconds: number
}

/** Each step begins as soon as the one `width` places before it has ended. */
function started(steps: readonly Step[], width: number): { name: string; ending: Promise<Ending> }[] {
  const endings: Promise<Ending>[] = []
  return steps.map((step, index) => {
    const before = endings[index - width] ?? Promise.resolve()
    const ending = before.then(() => timed(step))
    endings.push(ending)
    return { name: step.name, ending }
  })
}

/** A step that throws has failed; the others still run. */
async function timed(step: Step): Promise<Ending> {
  const start = performance.now()
  const outcome = await step.run().catch((cause: unknown) => ({ passed: 0, failed: 1, details: String(cause) }))
  return { outcome, seconds: (performance.now() - start) / 1000 }
}

function describe({ passed, failed, note, details }: Outcome, seconds: number): string {
  const counts = `${passed} passed, ${failed} failed`.padEnd(24)
  const line = `${failed > 0 ? '✗' : '✓'} ${counts}${seconds.toFixed(1).padStart(6)} s${note ? `  ${note}` : ''}`
  return details ? `${line}\n${details.trimEnd()}\n` : line
}
