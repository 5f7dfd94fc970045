import type Router from '@koa/router'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { ProjectView } from '../projects/project-view'
import { projectPolicy } from '../projects/policy'
import type { ProjectRecord } from '../../data/records/project-records'

const VISITOR: Actor = { kind: 'visitor' }

/** Downloads of a project: a file, the newest file of a name, a zip of all, and SHA256SUMS. */
export function projectDownloadRoutes(
  router: Router,
  context: Rooms<'files' | 'projects' | 'transfers'>,
): void {
  const { store: projects } = context.projects
  const { delivery } = context.transfers

  /** Collects the files that the actor may read, newest first. */
  const collectBundle = (actor: Actor, idOrSlug: string) => {
    const project = projectPolicy.require(actor, 'read', projects.find(idOrSlug))
    const files = filesFor(context, project, actor)
    if (files.length === 0) throw notFound('File')
    const isPublic = project.isPublic && files.every((file) => file.isPublic)
    return { name: project.slug, files, projectId: project.id, isPublic }
  }

  serveRaw(router, api.projects.download, async (ctx, { actor }, params) => {
    const { id, downloadId } = parseInput(api.projects.download.input, params)
    const project = projectPolicy.require(actor, 'read', projects.find(id))
    const link = projects.links.find(project.id, downloadId)
    const file = link && new ProjectView(context, project, actor).fileOf(link)
    if (!file) throw notFound('File')
    await delivery.send(ctx, file, { projectId: project.id })
  })

  // Members get what visitors get, so that an owner's test of the updater is representative.
  serveRaw(router, api.projects.latest, async (ctx, _caller, params) => {
    const { id, filename } = parseInput(api.projects.latest.input, params)
    const project = projectPolicy.require(VISITOR, 'read', projects.find(id))
    const newest = filesFor(context, project, VISITOR).find((file) => file.filename === filename)
    if (!newest) throw notFound('File')
    await delivery.send(ctx, newest, { projectId: project.id })
  })

  serveRaw(router, api.projects.downloadAll, (ctx, { actor }, params) =>
    delivery.sendZip(ctx, () =>
      collectBundle(actor, parseInput(api.projects.downloadAll.input, params).id),
    ),
  )

  serveRaw(router, api.projects.checksums, (ctx, { actor }, params) =>
    delivery.sendSums(ctx, () =>
      collectBundle(actor, parseInput(api.projects.checksums.input, params).id),
    ),
  )
}

/** Lists the files that a project offers the actor, newest first. */
const filesFor = (context: Rooms<'files' | 'projects'>, project: ProjectRecord, actor: Actor) =>
  new ProjectView(context, project, actor).files.map(({ file }) => file)
