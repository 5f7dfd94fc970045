import { VISITOR } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { AppError, notFound } from '../../core/errors'
import { sha256Of } from '../../core/sha256'
import type { AccessRequestRecord } from '../../data/records/access-records'
import type { ProjectRecord } from '../../data/records/project-records'
import { findLiveProject } from '../projects/live-project'
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
  rooms: Rooms<'accounts' | 'projects'>,
  token: string,
): OwnRequest | undefined {
  const request = rooms.projects.accessRequests.opened(token)
  const project = findLiveProject(rooms, request?.projectId)
  return request && project && { request, project }
}

/** For askers: it names neither the storage of the owner nor its use. */
export const noRoomForRequest = (): AppError =>
  new AppError('quota_exceeded', 'There is no room for more. Ask the project team')

/**
 * The token of a request, from the text that a form or program chose. A chosen text never leads to
 * the address of a link that exists.
 */
export const tokenForKey = (key: string): string =>
  sha256Of(`access request ${key}`, 'base64url').slice(0, 22)
