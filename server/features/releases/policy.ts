import { isBoundElsewhere, isUser, type Actor } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import { resolveRole } from '../projects/policy'
import { isOn } from '../projects/release-store'
import type { ProjectRecord, ReleaseRecord } from '../../data/records/project-records'

interface SeenRelease {
  release: ReleaseRecord
  /** Of its project. */
  isMember: boolean
}

/** The subject of the policy, for an actor. */
export const seenBy = (actor: Actor, project: ProjectRecord, release: ReleaseRecord): SeenRelease => ({
  release,
  isMember: resolveRole(actor, project) !== null,
})

const isFor = (actor: Actor, release: ReleaseRecord) =>
  actor.kind !== 'tester' || (actor.projectId === release.projectId && isOn(actor.channel, release))

/**
 * Readers of the project see its published releases, testers only those of their channel, members all. Only the
 * project's owner changes them.
 */
export const releasePolicy = definePolicy<SeenRelease>()('Release', {
  read: (actor, { release, isMember }) => isMember || (release.state === 'published' && isFor(actor, release)),
  update: (actor, { release }) => isUser(actor, release.ownerId) && !isBoundElsewhere(actor, release.projectId),
})
