import { performance } from 'node:perf_hooks'

/** A moment on two clocks: the monotonic one may stop during sleep, the wall clock may be set. */
export interface Moment {
  steady: number
  wall: number
}

export const thisMoment = (): Moment => ({ steady: performance.now(), wall: Date.now() })

/** Milliseconds since a moment, by the clock that shows more. */
export const msSince = ({ steady, wall }: Moment): number =>
  Math.max(performance.now() - steady, Math.abs(Date.now() - wall))
