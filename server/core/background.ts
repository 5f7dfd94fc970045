import type { Log } from './logging/log'

/**
 * Runs work of timers and events whose failure must not end the host. Logs the first failure in a
 * row.
 */
export function background(log: Pick<Log, 'warn'>, failure: string): (work: () => unknown) => void {
  let hasFailed = false

  const run = async (work: () => unknown) => {
    try {
      await work()
      hasFailed = false
    } catch (err) {
      if (!hasFailed) log.warn({ err }, failure)
      hasFailed = true
    }
  }

  return (work) => void run(work)
}
