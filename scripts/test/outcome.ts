export interface Outcome {
  passed: number
  failed: number
  /** A remark. */
  note?: string
  /** What is missing here, because of which all or some of it did not run. */
  needs?: string
  /** Tests that passed only on retry, each with its first failure. */
  flaky?: string[]
  slowest?: { name: string; ms: number }[]
  /** Of all its processes, user and system. */
  cpuSeconds?: number
  details?: string
}

export interface Step {
  name: string
  /** It runs programs of dist/, so it fails where the build has failed. */
  needsBuild?: true
  /** It mostly waits (disks, network, windows, time limits), so two of its kind run at once. */
  waits?: true
  /** `onProgress` gets the number of finished tests. */
  run(onProgress: (done: number) => void): Promise<Outcome>
}

/** A suite that cannot run here, which is a failure in CI. */
export const unavailable = (missing: string): Outcome => ({
  passed: 0,
  failed: process.env['CI'] ? 1 : 0,
  note: `not run: needs ${missing}`,
  needs: missing,
})
