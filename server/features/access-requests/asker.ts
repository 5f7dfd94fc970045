import { createHash } from 'node:crypto'
import { VISITOR } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { AppError, notFound } from '../../core/errors'
import type { AccessRequestRecord } from '../../data/records/access-records'
import type { ProjectRecord } from '../../data/records/project-records'
import { projectPolicy } from '../projects/policy'

/** Finds a public project that takes requests. Throws `not_found`, as for one that is not. */
export function requireForm({ projects }: Rooms<'projects'>, idOrSlug: string): ProjectRecord {
  const project = projectPolicy.require(VISITOR, 'read', projects.store.find(idOrSlug))
  if (!projects.accessRequests.isOpen(project)) throw notFound('Project')
  return project
}

/** A request with its project, for its asker. */
export interface OwnRequest {
  request: AccessRequestRecord
  project: ProjectRecord
}

/**
 * Finds the request of a secret address. Undefined for an unknown one, and while its project is
 * deleted or its owner disabled.
 */
export function findOwnRequest(
  { accounts, projects }: Rooms<'accounts' | 'projects'>,
  token: string,
): OwnRequest | undefined {
  const request = projects.accessRequests.opened(token)
  const project = request && projects.store.find(request.projectId)
  if (!request || project?.id !== request.projectId) return undefined
  return accounts.users.isActive(project.ownerId) ? { request, project } : undefined
}

/** For askers: it names neither the storage of the owner nor its use. */
export const noRoomForRequest = (): AppError =>
  new AppError('quota_exceeded', 'There is no room for more. Ask the people of the project')

/**
 * The token of a request, from the text that a form or program chose. A chosen text never leads to
 * the address of a link that exists.
 */
export const tokenForKey = (key: string): string =>
  createHash('sha256').update(`access request ${key}`).digest('base64url').slice(0, 22)
