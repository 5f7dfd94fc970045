/**
 * How often to retry a failed test: never, but once for `.ci/run`, so that one unlucky moment does
 * not cost a day. The summary lists such a test, which is fixed next.
 */
export const allowedRetries = Number(process.env['SLIPWAY_TEST_RETRIES'] ?? 0)

export interface Outcome {
  passed: number
  failed: number
  /** A remark. */
  note?: string
  /** Missing tools, because of which some or all of it did not run. */
  needs?: string
  /** Tests that passed only on retry, each with its first failure. */
  flaky?: string[]
  /** Whether its runner failed without a failing test, as when a process of it ends in a file. */
  isBroken?: true
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
