import { isBoundElsewhere, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { resolveRole } from './policy'
import type { FileRecord } from '../../data/records/file-records'
import type { LinkRecord, ProjectRecord } from '../../data/records/project-records'

/**
 * Returns a function that finds the file of a link for an actor that may read the project. Members
 * get every file, testers those of published releases of their channel, others no file of a draft
 * or a withdrawn release. The function returns undefined if the actor may not have the file.
 */
export function createFileFinder(
  { files, projects }: Rooms<'files' | 'projects'>,
  project: ProjectRecord,
  actor: Actor,
) {
  const isMember = resolveRole(actor, project) !== null
  // A key that is bound to another project must not open private files here.
  const reader: Actor = isBoundElsewhere(actor, project.id) ? { kind: 'visitor' } : actor

  const { links } = projects.store
  const isOffered = (link: LinkRecord) =>
    actor.kind === 'tester' && link.releaseId !== null
      ? links.isOfferedOn(actor.channel, link)
      : links.isOffered(link)

  return (link: LinkRecord) => {
    const file = isMember || isOffered(link) ? files.store.find(link.fileId) : undefined
    return file && files.policy.can(reader, 'read', file) ? file : undefined
  }
}

/** The icon comes from this many of the newest files. */
const LOOKED_AT = 50

/**
 * Finds the file whose icon is the icon of a project: the newest package that visitors can
 * download, stable before other channels. Members see the same as visitors, so that no private
 * build shows its icon on a public project; testers see that of their channel. A private project
 * has no visitors: its members see the icon of their newest package.
 */
export function findIconFile(
  deps: Rooms<'files' | 'projects'>,
  project: ProjectRecord,
  actor: Actor,
): FileRecord | undefined {
  const { links, releases } = deps.projects.store
  const fileOf = createFileFinder(
    deps,
    project,
    project.isPublic && actor.kind !== 'tester' ? { kind: 'visitor' } : actor,
  )

  let newest: FileRecord | undefined
  let count = 0

  for (const link of links.ofProject(project.id)) {
    const file = fileOf(link)
    if (!file) continue

    const channel = link.releaseId === null ? 'stable' : releases.find(link.releaseId)?.channel
    if (file.facts?.hasIcon && channel === 'stable') return file
    if (file.facts?.hasIcon) newest ??= file
    if (++count === LOOKED_AT) break
  }
  return newest
}

/**
 * Returns the address of a file's icon for an actor, or null if it has none. Testers cannot use
 * addresses below /api.
 */
export function iconAddress(
  { files }: Rooms<'files'>,
  file: FileRecord,
  actor: Actor,
): string | null {
  const { icon_url } = files.presentPackage(file)
  return icon_url !== null && actor.kind === 'tester' && !file.isPublic
    ? `${actor.base}/icons/${file.id}`
    : icon_url
}
