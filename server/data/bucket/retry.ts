import { setTimeout as pause } from 'node:timers/promises'
import { msSince, thisMoment } from '../../core/clock'
import { backoffMs } from '../../core/backoff'
import { BucketError, type BucketProblem } from './bucket-error'

/** Temporary failures: a store restarts, or asks us to wait. */
const PASSING: readonly BucketProblem[] = ['unreachable', 'slow', 'busy']
/** How long a request waits for a store that is down, in ms. */
const PATIENCE_MS = 10_000
const PAUSES = { firstMs: 100, longestMs: 2000 }

/**
 * Repeats a call that may be made twice while the store is briefly away. Throws its last
 * BucketError.
 */
export async function retry<T>(call: () => Promise<T>): Promise<T> {
  const since = thisMoment()
  for (let failures = 1; ; failures++) {
    try {
      return await call()
    } catch (cause) {
      const mayPass = cause instanceof BucketError && PASSING.includes(cause.kind)
      if (!mayPass || msSince(since) > PATIENCE_MS) throw cause
      await pause(backoffMs(failures, PAUSES))
    }
  }
}
