import type Router from '@koa/router'
import { userIdOf } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import type { CollaboratorRole } from '../../contract/accounts/collaborators'
import { AppError, forbidden, notFound } from '../../core/errors'
import type { ProjectRecord } from '../../data/records/project-records'
import { serve } from '../../http/endpoint/serve'

type Deps = Rooms<'accounts' | 'data' | 'projects' | 'transfers'>

export function collaboratorRoutes(router: Router, rooms: Deps): void {
  const {
    store: projects,
    policy: projectPolicy,
    events: projectEvents,
    resolveRole: roleIn,
    testers,
  } = rooms.projects
  const { users, audit } = rooms.accounts
  const { library } = rooms.data
  const { resumable, running } = rooms.transfers
  const findPerson = (named: string) => users.byName(named)?.id ?? named

  serve(router, api.collaborators.list, ({ actor, input }) => {
    const project = projectPolicy.require(actor, 'read', projects.find(input.id))
    if (roleIn(actor, project) === null) throw forbidden('see the collaborators of this project')
    return presentCollaborators(rooms, project)
  })

  serve(router, api.collaborators.add, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'collaborate', projects.find(input.id))

    const person =
      input.email === undefined ? users.byName(input.username ?? '') : users.byEmail(input.email)
    if (!person) throw notFound('User')
    if (person.id === userIdOf(actor))
      throw new AppError('invalid_input', 'You already own this project', 'username')

    const project = await projects.update(id, (current) => {
      if (current.collaboratorIds.includes(person.id)) {
        throw new AppError('taken', `${person.username} is already a collaborator`, 'username')
      }
      return {
        collaboratorIds: [...current.collaboratorIds, person.id],
        ...withRole(current, person.id, input.role),
      }
    })

    const about = {
      concerns: person.id,
      subject: person.username,
      detail: describeRole(project, input.role),
    }

    audit.record(ctx, { kind: 'collaborator_add', ...about })
    projectEvents.emit({ kind: 'person', project, userId: userIdOf(actor), subjectId: person.id })
    return presentCollaborators(rooms, project)
  })

  serve(router, api.collaborators.change, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'collaborate', projects.find(input.id))
    const personId = findPerson(input.collaboratorId)

    const project = await projects.update(id, (current) => {
      if (!current.collaboratorIds.includes(personId)) throw notFound('Collaborator')
      return withRole(current, personId, input.role)
    })

    resumable.settle(id)

    const about = {
      concerns: personId,
      subject: users.nameOf(personId),
      detail: describeRole(project, input.role),
    }
    audit.record(ctx, { kind: 'collaborator_change', ...about })
    return presentCollaborators(rooms, project)
  })

  serve(router, api.collaborators.remove, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'collaborate', projects.find(input.id))
    const personId = findPerson(input.collaboratorId)

    const project = await library.transact((tx) => {
      if (!projects.find(id)?.collaboratorIds.includes(personId)) throw notFound('Collaborator')
      if (!input.keep_tester_links) testers.endThoseBy(tx, id, personId)
      return projects.setRole(tx, id, personId, null)
    })

    resumable.settle(id)
    running.recheck()
    const about = { concerns: personId, subject: users.nameOf(personId), detail: project.title }
    audit.record(ctx, { kind: 'collaborator_remove', ...about })

    projectEvents.emit({ kind: 'removal', project, userId: userIdOf(actor), subjectId: personId })
    return presentCollaborators(rooms, project)
  })
}

function withRole({ maintainerIds = [] }: ProjectRecord, userId: string, role: CollaboratorRole) {
  const others = maintainerIds.filter((other) => other !== userId)
  return { maintainerIds: role === 'maintainer' ? [...others, userId] : others }
}

const describeRole = ({ title }: ProjectRecord, role: CollaboratorRole) =>
  role === 'maintainer' ? `${title}: maintainer` : title

const presentCollaborators = (
  { accounts: { users } }: Deps,
  { collaboratorIds, maintainerIds = [] }: ProjectRecord,
) => ({
  collaborators: collaboratorIds.map((id) => users.nameOf(id)),
  maintainers: collaboratorIds
    .filter((id) => maintainerIds.includes(id))
    .map((id) => users.nameOf(id)),
})
