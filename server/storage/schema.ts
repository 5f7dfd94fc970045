import type { Migrations } from './journal/migrations'

/** What the records of the library look like now. */
export const SCHEMA = 5

/** How older ones become so. Kept for good: a library of any age must open. */
export const MIGRATIONS: Migrations = {
  // Unfinished uploads and idempotency keys are new: an older Slipway would not know what to do with them.
  2: () => undefined,
  // Watched folders are new too.
  3: () => undefined,
  // Whoever watched a folder was told that versions come from names.
  4: ({ collections: { watches } }) => {
    for (const [id, watch] of watches) watches.set(id, { ...watch, versionFrom: 'name' })
  },
  // Folders below were never looked into.
  5: ({ collections: { watches } }) => {
    for (const [id, watch] of watches) watches.set(id, { ...watch, withBelow: false })
  },
}
