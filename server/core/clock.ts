import { randomFillSync } from 'node:crypto'

/** For libraries, which may not import the contract, and all rooms of the server. */
export { DAY_MS, HOUR_MS, MINUTE_MS } from '../contract/limits'

/** The computer's clock. */
export interface Clock {
  now(): Date
  /** Monotonic time in ms; setting the clock does not change it. */
  elapsed(): number
}

/** Source of times and ids for records. Tests replace only this and the log. */
export interface Sources extends Clock {
  /**
   * A random id of 16 URL-safe characters (96 bits). Its capital letter distinguishes it from a
   * slug.
   */
  newId(): string
}

const ID_BYTES = 12
/** Random bytes of the next ids: one call of the system fills them all. */
const stock = Buffer.alloc(128 * ID_BYTES)
let used = stock.length

/** Takes an id from the stock, and wipes its bytes. */
function takeId(): string {
  if (used === stock.length) {
    randomFillSync(stock)
    used = 0
  }
  const bytes = stock.subarray(used, (used += ID_BYTES))
  const id = bytes.toString('base64url')
  bytes.fill(0)
  return id
}

export const realSources: Sources = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  newId: () => {
    const id = takeId().replace(/^[-_]/, 'x')
    return /[A-Z]/.test(id) ? id : `X${id.slice(1)}`
  },
}

/** A moment on two clocks: the monotonic one may stop during sleep, the wall clock may be set. */
export interface Moment {
  elapsed: number
  wall: number
}

export const thisMoment = (): Moment => ({ elapsed: performance.now(), wall: Date.now() })

/** Milliseconds since a moment, by the clock that shows more. */
export const msSince = ({ elapsed, wall }: Moment): number =>
  Math.max(performance.now() - elapsed, Math.abs(Date.now() - wall))
