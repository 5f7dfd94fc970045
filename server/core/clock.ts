import { randomBytes } from 'node:crypto'

export const DAY_MS = 86_400_000

/** The computer's clock. */
export interface Clock {
  now(): Date
  /** Monotonic time in ms; setting the clock does not change it. */
  elapsed(): number
}

/** Where records get their times and ids. Besides the log, the only part that tests replace. */
export interface Sources extends Clock {
  /** A random id of 16 URL-safe characters (96 bits). Its capital letter distinguishes it from a slug. */
  newId(): string
}

export const realSources: Sources = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  newId: () => {
    const id = randomBytes(12).toString('base64url').replace(/^[-_]/, 'x')
    return /[A-Z]/.test(id) ? id : `X${id.slice(1)}`
  },
}
