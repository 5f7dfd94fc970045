import { isBoundElsewhere, isUser, type Actor } from '../../access/actor'
import { definePolicy } from '../../access/policy'
import { isMember, type ProjectRecord } from './project-store'

const owns = (actor: Actor, project: ProjectRecord) =>
  isUser(actor, project.ownerId) && !isBoundElsewhere(actor, project.id)
const worksOn = (actor: Actor, project: ProjectRecord) =>
  actor.kind !== 'visitor' && isMember(project, actor.userId) && !isBoundElsewhere(actor, project.id)

/** A public project is everybody's to read, a private one its members'; only its owner changes it. */
export const projectPolicy = definePolicy<ProjectRecord>()(
  'Project',
  {
    read: (actor, project) => project.isPublic || worksOn(actor, project),
    update: owns,
    delete: owns,
    link: owns,
    collaborate: owns,
    post: owns,
  },
  {
    link: 'change the files of this project',
    collaborate: 'change the collaborators of this project',
    post: 'post updates to this project',
  },
)

/** What the actor is to the project. */
export function roleIn(actor: Actor, project: ProjectRecord): 'owner' | 'collaborator' | null {
  if (!worksOn(actor, project)) return null
  return isUser(actor, project.ownerId) ? 'owner' : 'collaborator'
}
