import { performance } from 'node:perf_hooks'

/** A moment by two clocks: the steady one may stop while a laptop sleeps, the other one may be set. */
export interface Moment {
  steady: number
  wall: number
}

export const thisMoment = (): Moment => ({ steady: performance.now(), wall: Date.now() })

/** Milliseconds since a moment, by the clock that says more. */
export const msSince = ({ steady, wall }: Moment): number =>
  Math.max(performance.now() - steady, Math.abs(Date.now() - wall))
