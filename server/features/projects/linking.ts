import { userIdOf, type Actor } from '../../access/actor'
import type { Transaction } from '../../data/library/library'
import { projectPolicy } from './policy'
import type { ProjectEvents } from './project-events'
import type { ProjectStore } from './project-store'

/** Release fields; empty texts count as none. */
interface Release {
  version?: string | null | undefined
  platform?: string | null | undefined
}

/** Links a file in the caller's transaction. */
export type LinkFile = (tx: Transaction, fileId: string, release: Release) => void

/**
 * Checks that the actor may link files to a project; the result links in the transaction of an upload. Throws
 * `not_found` or `forbidden`.
 */
export function linkingTo(projects: ProjectStore, events: ProjectEvents): (actor: Actor, idOrSlug: string) => LinkFile {
  return (actor, idOrSlug) => {
    const project = projectPolicy.require(actor, 'link', projects.find(idOrSlug))
    return (tx, fileId, { version, platform }) => {
      const link = { fileId, version: version || null, platform: platform || null }
      const linked = projects.link(tx, project.id, link)
      tx.after(() => events.tell({ kind: 'file', project: linked, userId: userIdOf(actor), subjectId: fileId }))
    }
  }
}

/** Adds an invited account as a collaborator, in the transaction that creates it. Skips a deleted project. */
export function joiningTo(projects: ProjectStore, events: ProjectEvents) {
  return (tx: Transaction, projectId: string, userId: string, invitedBy: string): void => {
    if (!projects.find(projectId)) return
    const project = projects.addCollaborator(tx, projectId, userId)
    tx.after(() => events.tell({ kind: 'person', project, userId: invitedBy, subjectId: userId }))
  }
}
