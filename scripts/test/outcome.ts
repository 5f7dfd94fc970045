/** The result of a step. A static check counts as one test. */
export interface Outcome {
  passed: number
  failed: number
  /** Why it did not run, or another remark. */
  note?: string
  /** Tests that passed only on retry, each with its first failure. */
  flaky?: string[]
  slowest?: { name: string; ms: number }[]
  /** Output to read after a failure. */
  details?: string
}

export interface Step {
  name: string
  /** `onProgress` gets the number of finished tests. */
  run(onProgress: (done: number) => void): Promise<Outcome>
}

/** A missing prerequisite: a warning for developers, a failure in CI. */
export const unavailable = (why: string): Outcome => ({
  passed: 0,
  failed: process.env['CI'] ? 1 : 0,
  note: `skipped: ${why}`,
})
