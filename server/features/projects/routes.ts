import type Router from '@koa/router'
import { userIdOf, type Actor } from '../../access/actor'
import type { AppContext } from '../../context'
import { api } from '../../contract'
import { forbidden } from '../../errors'
import { serve } from '../../http/serve'
import { projectPolicy, roleIn } from './policy'
import { presentProject } from './presenter'
import type { ProjectRecord } from './project-store'

export function projectRoutes(router: Router, context: AppContext): void {
  const { projects, counts, deleteProject } = context
  const present = (project: ProjectRecord, actor: Actor) => presentProject(context, project, actor)
  const pageOf = (all: ProjectRecord[], { limit, offset }: { limit: number; offset: number }, actor: Actor) => ({
    projects: all.slice(offset, offset + limit).map((project) => present(project, actor)),
    total: all.length,
  })

  serve(router, api.projects.listPublic, ({ actor, input }) => pageOf(projects.allPublic(), input, actor))

  serve(router, api.projects.mine, ({ actor, input }) => pageOf(projects.ofMember(userIdOf(actor)), input, actor))

  serve(router, api.projects.bySlug, ({ actor, input, visitor, ctx }) => {
    const project = projectPolicy.require(actor, 'read', projects.find(input.slug))
    if (ctx.method === 'GET' && project.isPublic && roleIn(actor, project) === null) counts.viewed(visitor, project.id)
    return { project: present(project, actor) }
  })

  serve(router, api.projects.byId, ({ actor, input }) => ({
    project: present(projectPolicy.require(actor, 'read', projects.find(input.id)), actor),
  }))

  serve(router, api.projects.history, ({ actor, input }) => {
    const project = projectPolicy.require(actor, 'read', projects.find(input.id))
    if (roleIn(actor, project) === null) throw forbidden('see the history of this project')
    return { days: counts.history(project.id, input.days) }
  })

  serve(router, api.projects.create, async ({ actor, input }) => {
    const project = await projects.create(userIdOf(actor), {
      title: input.title,
      shortDescription: input.short_description,
      description: input.description,
      isPublic: input.is_public,
      projectUrl: input.project_url || null,
    })
    return { project: present(project, actor) }
  })

  serve(router, api.projects.update, async ({ actor, input }) => {
    const { id } = projectPolicy.require(actor, 'update', projects.find(input.id))
    const project = await projects.update(id, (current) => ({
      title: input.title ?? current.title,
      shortDescription: input.short_description ?? current.shortDescription,
      description: input.description ?? current.description,
      isPublic: input.is_public ?? current.isPublic,
      projectUrl: input.project_url === undefined ? current.projectUrl : input.project_url || null,
    }))
    return { project: present(project, actor) }
  })

  serve(router, api.projects.remove, async ({ actor, input }) => {
    await deleteProject(projectPolicy.require(actor, 'delete', projects.find(input.id)))
    return {}
  })
}
