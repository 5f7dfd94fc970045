import { isBoundElsewhere, isUser, type Actor } from '../../../access/actor'
import { definePolicy } from '../../../access/policy'
import { roleIn } from '../policy'
import type { ProjectRecord } from '../project-store'
import type { ReleaseRecord } from './release-store'

interface SeenRelease {
  release: ReleaseRecord
  /** Of its project. */
  isMember: boolean
}

/** The subject of the policy, for an actor. */
export const seenBy = (actor: Actor, project: ProjectRecord, release: ReleaseRecord): SeenRelease => ({
  release,
  isMember: roleIn(actor, project) !== null,
})

/** Readers of the project see its published releases, members all. Only the project's owner changes them. */
export const releasePolicy = definePolicy<SeenRelease>()('Release', {
  read: (_actor, { release, isMember }) => isMember || release.state === 'published',
  update: (actor, { release }) => isUser(actor, release.ownerId) && !isBoundElsewhere(actor, release.projectId),
})
