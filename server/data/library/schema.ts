import type { Migrations } from './journal/migrations'
import { linksBecomeRecords } from './migrations/links-become-records'
import { releasesFromLinks } from './migrations/releases-from-links'
import type { LibraryData } from './library-data'

/** The current schema of the records. */
export const SCHEMA = 22

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
    const slugs = new Set(
      [...projects.values()].map((project) => (project as { slug?: unknown }).slug),
    )
    for (const record of trash.values()) {
      const { kind, ownerId, deletedAt, value } = record as TrashedProject
      if (kind !== 'project' || slugs.has(value.project.slug)) continue
      const { slug } = value.project
      if (reservedSlugs.has(slug)) continue
      reservedSlugs.set(slug, { slug, ownerId, reservedAt: deletedAt })
    }
  },
  7: linksBecomeRecords,
  8: releasesFromLinks,
  9: versionsBecomeFacts,
  // New: tester links.
  10: () => undefined,
  // New: copies in a bucket, which an older Slipway would not delete.
  11: () => undefined,
  // New: pictures, whose bytes an older Slipway would set aside.
  12: () => undefined,
  // New: webhooks, whose queue an older Slipway would not send.
  13: () => undefined,
  // New: releases in the trash, whose bytes an older Slipway would set aside.
  14: () => undefined,
  15: webhookTimesBecomeText,
  // New: share links.
  16: () => undefined,
  // New: deleted accounts, whose items an older Slipway would evict from the trash.
  17: () => undefined,
  // New: file requests.
  18: () => undefined,
  // New: reports, whose bytes an older Slipway would set aside.
  19: () => undefined,
  // New: previews, whose builds an older Slipway would list among the files of their owner.
  20: () => undefined,
  // New: requests for access; second factors, which an older Slipway would not ask for; subscribers
  // and notices, which it would not send.
  21: () => undefined,
  // New: linked identities, which an older Slipway would not remove with their accounts.
  22: () => undefined,
}

/** A file, with the version of its package until schema 8. */
interface OldFile {
  filename: string
  packageVersion?: string
}

/** The packages whose version was read, by extension. */
const KINDS: Readonly<Record<string, string>> = { apk: 'apk', ipa: 'ipa', zip: 'app', exe: 'exe' }

/** Converts the version of a package to facts. The host reads the other facts when it is idle. */
function versionsBecomeFacts({ collections: { files, trash } }: LibraryData): void {
  for (const [id, file] of files) files.set(id, withFacts(file as OldFile))
  for (const [id, record] of trash) {
    const { kind, value } = record as { kind?: string; value?: { file?: OldFile } }
    if (kind === 'file' && value?.file)
      trash.set(id, { ...record, value: { ...value, file: withFacts(value.file) } })
  }
}

function withFacts({ packageVersion, ...file }: OldFile): object {
  const kind = KINDS[/\.(\w+)$/.exec(file.filename)?.[1]?.toLowerCase() ?? '']
  if (packageVersion === undefined || kind === undefined) return file
  return { ...file, facts: { kind, version: packageVersion, isPartial: true } }
}

/** Converts the times of webhooks to text: until schema 14 they were ms since 1970, or 0. */
function webhookTimesBecomeText({ collections }: LibraryData): void {
  const toText = (at: unknown) => new Date(Number(at)).toISOString()

  for (const [id, webhook] of collections.webhooks) {
    const { restsUntil } = webhook as { restsUntil?: unknown }
    collections.webhooks.set(id, { ...webhook, restsUntil: restsUntil ? toText(restsUntil) : null })
  }
  for (const [id, delivery] of collections.webhookDeliveries) {
    const { nextTryAt } = delivery as { nextTryAt?: unknown }
    collections.webhookDeliveries.set(id, { ...delivery, nextTryAt: toText(nextTryAt) })
  }
}
