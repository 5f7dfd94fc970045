/** What one step came to. A static check counts as one test. */
export interface Outcome {
  passed: number
  failed: number
  /** Why it did not run, or what else is worth a word on its line. */
  note?: string
  /** Tests that passed at the second try only, each with how it failed at first. */
  flaky?: string[]
  /** The tests that took longest. */
  slowest?: { name: string; ms: number }[]
  /** What to read when it failed. */
  details?: string
}

export interface Step {
  name: string
  /** `onProgress` takes the number of tests that have ended. */
  run(onProgress: (done: number) => void): Promise<Outcome>
}

/** Something on this machine is missing. A developer may go on without it; the CI may not. */
export const unavailable = (why: string): Outcome => ({
  passed: 0,
  failed: process.env['CI'] ? 1 : 0,
  note: `skipped: ${why}`,
})
