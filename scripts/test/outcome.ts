/** What one step came to. A static check counts as one test. */
export interface Outcome {
  passed: number
  failed: number
  /** Why it did not run, or what else is worth a word on its line. */
  note?: string
  /** What to read when it failed. */
  details?: string
}

export interface Step {
  name: string
  run(): Promise<Outcome>
}

const inCi = () => Boolean(process.env['CI'])

/** Something on this machine is missing. A developer may go on without it; the CI may not. */
export const unavailable = (why: string): Outcome => ({ passed: 0, failed: inCi() ? 1 : 0, note: `skipped: ${why}` })

/** Counts of a test run. Skipped tests are failures in the CI; a run that broke without a failing test is one too. */
export function counted(passed: number, failed: number, skipped: number, exitCode: number, output: string): Outcome {
  const silent = exitCode !== 0 && failed === 0 ? 1 : 0
  const all = failed + silent + (inCi() ? skipped : 0)
  return {
    passed,
    failed: all,
    ...(skipped > 0 ? { note: `${skipped} skipped` } : {}),
    ...(all > 0 ? { details: output } : {}),
  }
}
