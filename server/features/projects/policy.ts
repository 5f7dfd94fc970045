import { isUser, type Actor } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import { isMember, type ProjectRecord } from './project-store'

const owns = (actor: Actor, project: ProjectRecord) => isUser(actor, project.ownerId)

/** A public project is everybody's to read, a private one its members'; only its owner changes it. */
export const projectPolicy = definePolicy<ProjectRecord>()('Project', {
  read: (actor, project) => project.isPublic || (actor.kind !== 'visitor' && isMember(project, actor.userId)),
  update: owns,
  delete: owns,
  link: owns,
  collaborate: owns,
  post: owns,
})

/** What the actor is to the project. */
export function roleIn(actor: Actor, project: ProjectRecord): 'owner' | 'collaborator' | null {
  if (actor.kind === 'visitor' || !isMember(project, actor.userId)) return null
  return actor.userId === project.ownerId ? 'owner' : 'collaborator'
}
