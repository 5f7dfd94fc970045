import type { Log } from './logging/log'

/**
 * Runs work that a timer or an event starts, so that a failure does not end the host. Only the first failure in a row
 * is logged.
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
