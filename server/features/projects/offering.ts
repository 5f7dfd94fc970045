import { isBoundElsewhere, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { resolveRole } from './policy'
import type { LinkRecord, ProjectRecord } from '../../data/records/project-records'

/**
 * Returns a function that finds the file of a link for an actor who may read the project: members get every file, testers
 * those of published releases of their channel, others no file of a draft or a withdrawn release. Undefined if the actor
 * may not have it.
 */
export function offering({ files, projects }: Rooms<'files' | 'projects'>, project: ProjectRecord, actor: Actor) {
  const isMember = resolveRole(actor, project) !== null
  // A key that is bound to another project must not open private files here.
  const reader: Actor = isBoundElsewhere(actor, project.id) ? { kind: 'visitor' } : actor
  const { links } = projects.store
  const isOffered = (link: LinkRecord) =>
    actor.kind === 'tester' && link.releaseId !== null ? links.isOfferedOn(actor.channel, link) : links.isOffered(link)
  return (link: LinkRecord) => {
    const file = isMember || isOffered(link) ? files.store.find(link.fileId) : undefined
    return file && files.policy.can(reader, 'read', file) ? file : undefined
  }
}
