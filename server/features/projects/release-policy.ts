import type { Actor } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import { projectPolicy, resolveRole } from './policy'
import { isOn } from './release-store'
import type { ProjectRecord, ReleaseRecord } from '../../data/records/project-records'

interface SeenRelease {
  release: ReleaseRecord
  /** Whether the actor is a member of the project. */
  isMember: boolean
  project: ProjectRecord
}

/** Returns the subject of the policy for an actor. */
export const seenBy = (
  actor: Actor,
  project: ProjectRecord,
  release: ReleaseRecord,
): SeenRelease => ({ release, isMember: resolveRole(actor, project) !== null, project })

const isFor = (actor: Actor, release: ReleaseRecord) =>
  actor.kind !== 'tester' || (actor.projectId === release.projectId && isOn(actor.channel, release))

/**
 * Readers of the project see its published releases, testers only those of their channel, members
 * all of them. The owner and maintainers change releases; only the owner deletes them.
 */
export const releasePolicy = definePolicy<SeenRelease>()('Release', {
  read: (actor, { release, isMember, project }) =>
    isMember ||
    (release.state === 'published' &&
      isFor(actor, release) &&
      projectPolicy.can(actor, 'read', project)),
  update: (actor, { project }) => projectPolicy.can(actor, 'link', project),
  delete: (actor, { project }) => projectPolicy.can(actor, 'delete', project),
})
