import type { Migrations } from './journal/migrations'
import { linksBecomeRecords } from './links-become-records'

/** What the records of the library look like now. */
export const SCHEMA = 7

/** A project in the trash, as it was before schema 6. */
interface TrashedProject {
  kind: string
  ownerId: string
  deletedAt: string
  value: { project: { slug: string } }
}

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
  // Slugs of deleted projects were free for everybody: those in the trash are reserved now, unless they are taken.
  6: ({ collections: { projects, trash, reservedSlugs } }) => {
    const taken = new Set([...projects.values()].map((project) => (project as { slug?: unknown }).slug))
    for (const record of trash.values()) {
      const { kind, ownerId, deletedAt, value } = record as TrashedProject
      if (kind !== 'project' || taken.has(value.project.slug)) continue
      const { slug } = value.project
      if (reservedSlugs.has(slug)) continue
      reservedSlugs.set(slug, { slug, ownerId, reservedAt: deletedAt })
    }
  },
  7: linksBecomeRecords,
}
