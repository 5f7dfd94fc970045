import { performance } from 'node:perf_hooks'

/** A moment on two clocks: the monotonic one may stop during sleep, the wall clock may be set. */
export interface Moment {
  elapsed: number
  wall: number
}

export const thisMoment = (): Moment => ({ elapsed: performance.now(), wall: Date.now() })

/** Milliseconds since a moment, by the clock that shows more. */
export const msSince = ({ elapsed, wall }: Moment): number =>
  Math.max(performance.now() - elapsed, Math.abs(Date.now() - wall))
