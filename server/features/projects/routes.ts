import type Router from '@koa/router'
import { isBoundElsewhere, userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { cut, type ResultPage } from '../../data/library/search/search'
import { serve } from '../../http/endpoint/serve'
import { projectPolicy } from './policy'
import { findPublicProjects } from './public-list'
import { ProjectView, viewProject } from './project-view'
import { presentProject, presentProjects, presentText, readText } from './presenter'
import type { ProjectRecord } from '../../data/records/project-records'

type Deps = Rooms<'accounts' | 'deletion' | 'files' | 'projects' | 'transfers'>

export function projectRoutes(router: Router, context: Deps): void {
  const { store: projects, events: projectEvents } = context.projects
  const { audit } = context.accounts
  const present = (project: ProjectRecord, actor: Actor) =>
    presentProject(context, new ProjectView(context, project, actor))
  const presentPage = ({ values, total }: ResultPage<ProjectRecord>, actor: Actor) => ({
    projects: presentProjects(context, values, actor),
    total,
  })

  serve(router, api.projects.listPublic, ({ actor, input }) =>
    presentPage(findPublicProjects(context, input, input), actor),
  )

  serve(router, api.projects.mine, ({ actor, input }) => {
    const own = projects.ofMember(userIdOf(actor)).filter(({ id }) => !isBoundElsewhere(actor, id))
    return presentPage(cut(own, input), actor)
  })

  serve(router, api.projects.byId, ({ actor, input }) => ({
    project: presentProject(context, viewProject(context, actor, input.id)),
  }))

  serve(router, api.projects.create, async ({ actor, input, ctx }) => {
    const project = await projects.create(userIdOf(actor), readText(input), input.slug)
    audit.record(ctx, {
      kind: 'project_create',
      subject: project.title,
      detail: visibilityOf(project),
    })
    return { project: present(project, actor) }
  })

  serve(router, api.projects.update, async ({ actor, input, ctx }) => {
    const before = projectPolicy.require(actor, 'update', projects.find(input.id))
    const project = await projects.update(before.id, (current) => readText(input, current))
    if (project.isPublic !== before.isPublic) {
      audit.record(ctx, {
        kind: 'project_visibility',
        subject: project.title,
        detail: visibilityOf(project),
      })
    }

    if (pageOf(before) !== pageOf(project)) {
      projectEvents.emit({ kind: 'page', project, userId: userIdOf(actor), subjectId: null })
    }

    return { project: present(project, actor) }
  })

  serve(router, api.projects.remove, async ({ actor, input, ctx }) => {
    const project = projectPolicy.require(actor, 'delete', projects.find(input.id))
    await context.deletion.deleteProject(project)
    context.transfers.resumable.settle(project.id)
    audit.record(ctx, { kind: 'project_delete', subject: project.title })
    return {}
  })
}

const visibilityOf = ({ isPublic }: ProjectRecord) => (isPublic ? 'public' : 'private')

/** A comparable form of the page's content. */
const pageOf = (project: ProjectRecord) => JSON.stringify(presentText(project))
