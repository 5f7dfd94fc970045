import { randomBytes } from 'node:crypto'

export const DAY_MS = 86_400_000

/** Time and chance: with the log, all that tests may replace. */
export interface World {
  now(): Date
  /** Running time in ms since some moment; setting the clock does not change it. */
  elapsed(): number
  /** A random id of 16 characters (96 bits), safe in URLs and as an argument; its capital tells it from a slug. */
  newId(): string
}

export const realWorld: World = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  newId: () => {
    const id = randomBytes(12).toString('base64url').replace(/^[-_]/, 'x')
    return /[A-Z]/.test(id) ? id : `X${id.slice(1)}`
  },
}
