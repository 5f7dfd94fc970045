import { createHash } from 'node:crypto'
import { resolveReleaseVersion, usualChannel } from '../../../core/versions'
import type { LibraryData } from '../library-data'

interface Link {
  projectId: string
  fileId: string
  version: string | null
  addedAt: string
}

interface Release {
  id: string
  projectId: string
  version: string
  createdAt: string
}

interface OldFile {
  version: string | null
  packageVersion?: string
}

interface OldTrash {
  kind?: string
  ownerId?: string
  value?: { file?: OldFile; links?: readonly Link[] }
}

/**
 * The id of the release of a version: 132 bits of a digest, so that migrations and concurrent
 * uploads agree on it.
 */
export const releaseId = (projectId: string, version: string): string =>
  createHash('sha256').update(`${projectId}/${version}`).digest('base64url').slice(0, 22)

/** Migrates links: until schema 8 a version was only a text of a link or file. */
export function releasesFromLinks({ collections }: LibraryData): void {
  const { projects, files, links, trash, releases } = collections
  const ownerOf = (projectId: string) => {
    const project: { ownerId?: string } | undefined = projects.get(projectId)
    return project?.ownerId
  }
  const fileOf = (id: string) => {
    const trashed: OldTrash | undefined = trash.get(id)
    return (files.get(id) as OldFile | undefined) ?? trashed?.value?.file
  }

  const live = group(links as Map<string, Link>, ownerOf, fileOf)
  for (const [id, link] of live.links) links.set(id, link)
  for (const release of live.releases) releases.set(release.id, release)

  for (const [id, record] of trash) {
    const { ownerId, value = {} } = record as OldTrash
    if (!Array.isArray(value.links)) continue

    const old = (value.links as Link[]).entries()
    const grouped = group(
      old,
      () => ownerId,
      (fileId) => value.file ?? fileOf(fileId),
    )

    const linked = grouped.links.map(([, link]) => link)
    trash.set(id, { ...record, value: { ...value, links: linked, releases: grouped.releases } })
  }
}

/**
 * Returns the links with their release, and one release for each version, as old as its first link.
 */
function group<K>(
  links: Iterable<readonly [K, Link]>,
  ownerOf: (projectId: string) => string | undefined,
  fileOf: (fileId: string) => OldFile | undefined,
) {
  const releases = new Map<string, Release>()

  const joined = Array.from(links, ([key, link]) => {
    const file = fileOf(link.fileId)
    const version = resolveReleaseVersion(
      link.version ?? file?.version ?? file?.packageVersion,
      undefined,
    )
    const ownerId = ownerOf(link.projectId)

    if (version === null || ownerId === undefined)
      return [key, { ...link, releaseId: null }] as const

    const id = releaseId(link.projectId, version)
    const existing = releases.get(id)
    if (!existing || link.addedAt < existing.createdAt)
      releases.set(id, toRelease(link, version, { id, ownerId }))
    return [key, { ...link, releaseId: id }] as const
  })

  return { links: joined, releases: [...releases.values()] }
}

function toRelease(
  { projectId, addedAt }: Link,
  version: string,
  ids: { id: string; ownerId: string },
) {
  const text = { version, channel: usualChannel(version), notes: '' }
  const state = { state: 'published', isKept: false, createdAt: addedAt, publishedAt: addedAt }
  return { ...ids, projectId, ...text, ...state }
}
