import type { LibraryData } from '../library-data'

/** A link as stored in its project, or in the trash with its file, before schema 6. */
interface OldLink {
  fileId: string
  version: string | null
  platform: string | null
  addedAt: string
}

interface OldTrash {
  kind?: string
  value?: {
    project?: { id: string; links?: readonly OldLink[] }
    placed?: readonly { projectId: string; link: OldLink }[]
  }
}

/** Migrates links: until schema 6 a project contained its links, oldest first. */
export function linksBecomeRecords({ collections: { projects, trash, links } }: LibraryData): void {
  for (const [id, project] of projects) {
    const { links: old, ...rest } = project as { links?: readonly OldLink[] }
    projects.set(id, rest)
    for (const link of toLinkRecords(id, old)) links.set(link.id, link)
  }
  for (const [id, record] of trash) {
    const { kind, value = {} } = record as OldTrash
    if (kind === 'project') trash.set(id, { ...record, value: trashedProject(value) })
    if (kind === 'file') trash.set(id, { ...record, value: trashedFile(value) })
  }
}

function trashedProject({ project, ...value }: NonNullable<OldTrash['value']>) {
  const { links, ...rest } = project ?? { id: '' }
  return { project: rest, ...value, links: toLinkRecords(rest.id, links) }
}

function trashedFile({ placed = [], ...value }: NonNullable<OldTrash['value']>) {
  return {
    ...value,
    links: placed.flatMap(({ projectId, link }) => toLinkRecords(projectId, [link])),
  }
}

/** The position is a time that keeps the order, so that later and restored links fit in. */
function toLinkRecords(projectId: string, old: readonly OldLink[] = []) {
  let last = 0

  return old.map(({ fileId, version, platform, addedAt }) => {
    last = Math.max(Date.parse(addedAt) || 0, last + 1)
    return {
      id: `${projectId}/${fileId}`,
      projectId,
      fileId,
      version,
      platform,
      addedAt,
      position: last,
    }
  })
}
