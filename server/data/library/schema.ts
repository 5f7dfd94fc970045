import type { Migrations } from './journal/migrations'
import { linksBecomeRecords } from './links-become-records'
import { releasesFromLinks } from './releases-from-links'

/** The current schema of the records. */
export const SCHEMA = 8

/** A project in the trash before schema 6. */
interface TrashedProject {
  kind: string
  ownerId: string
  deletedAt: string
  value: { project: { slug: string } }
}

/** Migrations by target schema. Kept forever: a library of any age must open. */
export const MIGRATIONS: Migrations = {
  // New: unfinished uploads and idempotency keys, which an older Slipway would not handle.
  2: () => undefined,
  // New: watched folders.
  3: () => undefined,
  // Existing watched folders took versions from names.
  4: ({ collections: { watches } }) => {
    for (const [id, watch] of watches) watches.set(id, { ...watch, versionFrom: 'name' })
  },
  // Subfolders were never watched before.
  5: ({ collections: { watches } }) => {
    for (const [id, watch] of watches) watches.set(id, { ...watch, withBelow: false })
  },
  // Slugs of deleted projects used to be free: reserve those in the trash unless taken.
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
  8: releasesFromLinks,
}
