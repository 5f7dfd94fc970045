import { userIdOf, type Actor } from '../../access/actor'
import { releaseVersionOf, type Versioned } from '../../core/versions'
import type { Transaction } from '../../data/library/library'
import type { NewLink } from './link-store'
import { projectPolicy } from './policy'
import type { ProjectEvents } from './project-events'
import type { ProjectStore } from './project-store'

/** The fields of a link as entered; empty texts count as none. */
export interface Entered {
  version?: string | null | undefined
  platform?: string | null | undefined
}

/** Links a file in the caller's transaction. A file with a version joins its release. */
export type LinkFile = (tx: Transaction, file: Versioned & { id: string }, entered: Entered) => void

/**
 * Checks that the actor may link files to a project; the result links in the transaction of an upload. Throws
 * `not_found` or `forbidden`.
 */
export function linkingTo(projects: ProjectStore, events: ProjectEvents): (actor: Actor, idOrSlug: string) => LinkFile {
  return (actor, idOrSlug) => {
    const project = projectPolicy.require(actor, 'link', projects.find(idOrSlug))
    return (tx, file, entered) => {
      const linked = projects.link(tx, project.id, newLink(file, entered))
      tx.after(() => events.tell({ kind: 'file', project: linked, userId: userIdOf(actor), subjectId: file.id }))
    }
  }
}

/** Returns a new link of a file. */
export function newLink(file: Versioned & { id: string }, entered: Entered): NewLink {
  const version = entered.version || null
  const platform = entered.platform || null
  return { fileId: file.id, version, platform, releaseVersion: releaseVersionOf(version, file) }
}

/** Adds an invited account as a collaborator, in the transaction that creates it. Skips a deleted project. */
export function joiningTo(projects: ProjectStore, events: ProjectEvents) {
  return (tx: Transaction, projectId: string, userId: string, invitedBy: string): void => {
    if (!projects.find(projectId)) return
    const project = projects.addCollaborator(tx, projectId, userId)
    tx.after(() => events.tell({ kind: 'person', project, userId: invitedBy, subjectId: userId }))
  }
}
