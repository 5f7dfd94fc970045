import { randomBytes } from 'node:crypto'

/** Time and chance: with the log, all that tests may replace. */
export interface World {
  now(): Date
  /** A random id that is safe in URLs and as a command-line argument (96 bits). */
  newId(): string
}

export const realWorld: World = {
  now: () => new Date(),
  newId: () => randomBytes(12).toString('base64url').replace(/^[-_]/, 'x'),
}
