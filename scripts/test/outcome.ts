export interface Outcome {
  passed: number
  failed: number
  /** A remark. */
  note?: string
  /** Missing tools, because of which some or all of it did not run. */
  needs?: string
  /** Tests that passed only on retry, each with its first failure. */
  flaky?: string[]
  /** Names of the tests that failed. Without them, the step itself failed. */
  failures?: string[]
  slowest?: { name: string; ms: number }[]
  /** CPU time of all its processes, user and system. */
  cpuSeconds?: number
  details?: string
}

export interface Step {
  name: string
  /** Whether it runs programs of dist/, and so fails if the build failed. */
  needsBuild?: true
  /**
   * Whether it mostly waits (disks, network, windows, timeouts), so that two such steps run in
   * parallel.
   */
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
