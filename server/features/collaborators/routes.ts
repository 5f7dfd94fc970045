import type Router from '@koa/router'
import { userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { AppError, forbidden, notFound } from '../../core/errors'
import { serve } from '../../http/endpoint/serve'

export function collaboratorRoutes(router: Router, rooms: Rooms<'accounts' | 'projects'>): void {
  const { store: projects, policy: projectPolicy, events: projectEvents, resolveRole: roleIn } = rooms.projects
  const { users, audit } = rooms.accounts

  serve(router, api.collaborators.list, ({ actor, input }) => {
    const project = projectPolicy.require(actor, 'read', projects.find(input.id))
    if (roleIn(actor, project) === null) throw forbidden('see the collaborators of this project')
    return presentCollaborators(users, project.collaboratorIds)
  })

  serve(router, api.collaborators.add, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'collaborate', projects.find(input.id))
    const person = input.email === undefined ? users.byName(input.username ?? '') : users.byEmail(input.email)
    if (!person) throw notFound('User')
    if (person.id === userIdOf(actor)) throw new AppError('invalid_input', 'You already own this project', 'username')
    const project = await projects.update(id, ({ collaboratorIds }) => {
      if (collaboratorIds.includes(person.id)) {
        throw new AppError('taken', `${person.username} is already a collaborator`, 'username')
      }
      return { collaboratorIds: [...collaboratorIds, person.id] }
    })
    const about = { concerns: person.id, subject: person.username, detail: project.title }
    audit.record(ctx, { kind: 'collaborator_add', ...about })
    projectEvents.emit({ kind: 'person', project, userId: userIdOf(actor), subjectId: person.id })
    return presentCollaborators(users, project.collaboratorIds)
  })

  removeRoute(router, rooms)
}

function removeRoute(router: Router, rooms: Rooms<'accounts' | 'projects'>): void {
  const { store: projects, policy: projectPolicy, events: projectEvents } = rooms.projects
  const { users, audit } = rooms.accounts
  serve(router, api.collaborators.remove, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'collaborate', projects.find(input.id))
    const personId = users.byName(input.collaboratorId)?.id ?? input.collaboratorId
    const project = await projects.update(id, ({ collaboratorIds }) => {
      if (!collaboratorIds.includes(personId)) throw notFound('Collaborator')
      return { collaboratorIds: collaboratorIds.filter((other) => other !== personId) }
    })
    const about = { concerns: personId, subject: users.nameOf(personId), detail: project.title }
    audit.record(ctx, { kind: 'collaborator_remove', ...about })
    projectEvents.emit({ kind: 'removal', project, userId: userIdOf(actor), subjectId: personId })
    return presentCollaborators(users, project.collaboratorIds)
  })
}

const presentCollaborators = (users: Rooms<'accounts'>['accounts']['users'], ids: readonly string[]) => ({
  collaborators: ids.map((id) => users.nameOf(id)),
})
