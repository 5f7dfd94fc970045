import type { Log } from './logging/log'

/**
 * For work that a timer or an event starts and nothing waits for: a failure must not end the host. The first failure in
 * a row is logged, and the state stays as it was.
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
