import type Router from '@koa/router'
import { VISITOR, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { viewProject } from '../projects/project-view'

/** Downloads of a project: a file, the newest file of a name, a zip of all, and SHA256SUMS. */
export function projectDownloadRoutes(
  router: Router,
  context: Rooms<'files' | 'projects' | 'transfers'>,
): void {
  const { delivery } = context.transfers

  /** Collects the files that the actor may read, newest first. */
  const collectBundle = (actor: Actor, idOrSlug: string) => {
    const { project, files: listed } = viewProject(context, actor, idOrSlug)
    const files = listed.map(({ file }) => file)
    if (files.length === 0) throw notFound('File')
    const isPublic = project.isPublic && files.every((file) => file.isPublic)
    return { name: project.slug, files, projectId: project.id, isPublic }
  }

  serveRaw(router, api.projects.download, async (ctx, { actor }, params) => {
    const { id, downloadId } = parseInput(api.projects.download.input, params)
    const view = viewProject(context, actor, id)
    const projectId = view.project.id
    const link = context.projects.store.links.find(projectId, downloadId)
    const file = link && view.fileOf(link)
    if (!file) throw notFound('File')
    await delivery.send(ctx, file, { projectId })
  })

  // Members get what visitors get, so that an owner's test of the updater is representative.
  serveRaw(router, api.projects.latest, async (ctx, _caller, params) => {
    const { id, filename } = parseInput(api.projects.latest.input, params)
    const { project, files } = viewProject(context, VISITOR, id)
    const newest = files.find(({ file }) => file.filename === filename)
    if (!newest) throw notFound('File')
    await delivery.send(ctx, newest.file, { projectId: project.id })
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
