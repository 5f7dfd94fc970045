export interface Outcome {
  passed: number
  failed: number
  /** Why it did not run, or another remark. */
  note?: string
  /** Tests that passed only on retry, each with its first failure. */
  flaky?: string[]
  slowest?: { name: string; ms: number }[]
  /** Of all its processes, user and system. */
  cpuSeconds?: number
  details?: string
}

export interface Step {
  name: string
  /** `onProgress` gets the number of finished tests. */
  run(onProgress: (done: number) => void): Promise<Outcome>
}

export const unavailable = (why: string): Outcome => ({
  passed: 0,
  failed: process.env['CI'] ? 1 : 0,
  note: `skipped: ${why}`,
})
