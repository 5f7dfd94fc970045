import type Router from '@koa/router'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { projectPolicy } from './policy'

const VISITOR: Actor = { kind: 'visitor' }

/** Downloads of a project: one file, the newest of a name, a zip of all, and SHA256SUMS. */
export function projectDownloadRoutes(router: Router, context: Rooms<'files' | 'projects' | 'transfers'>): void {
  const { store: projects } = context.projects
  const { store: files, policy: filePolicy } = context.files
  const { deliver, deliverZip, deliverSums } = context.transfers

  const { offered, bundleOf } = findersIn(context)

  serveRaw(router, api.projects.download, async (ctx, { actor }, params) => {
    const { id, downloadId } = parseInput(api.projects.download.input, params)
    const project = projectPolicy.require(actor, 'read', projects.find(id))
    const link = projects.links.find(project.id, downloadId)
    const file = filePolicy.require(actor, 'read', link && files.find(link.fileId))
    await deliver(ctx, file, { projectId: project.id })
  })

  // Members get what visitors get, so that an owner's test of the updater is representative.
  serveRaw(router, api.projects.latest, async (ctx, _caller, params) => {
    const { id, filename } = parseInput(api.projects.latest.input, params)
    const project = projectPolicy.require(VISITOR, 'read', projects.find(id))
    const newest = offered(project.id).find((file) => file.filename === filename && file.isPublic)
    await deliver(ctx, filePolicy.require(VISITOR, 'read', newest), { projectId: project.id })
  })

  serveRaw(router, api.projects.downloadAll, (ctx, { actor }, params) =>
    deliverZip(ctx, () => bundleOf(actor, parseInput(api.projects.downloadAll.input, params).id)),
  )

  serveRaw(router, api.projects.checksums, (ctx, { actor }, params) =>
    deliverSums(ctx, () => bundleOf(actor, parseInput(api.projects.checksums.input, params).id)),
  )
}

function findersIn({ files, projects }: Rooms<'files' | 'projects'>) {
  const offered = (projectId: string) =>
    projects.store.links
      .ofProject(projectId)
      .map(({ fileId }) => files.store.find(fileId))
      .filter((file) => file !== undefined)

  /** The files that the actor may read, newest first. */
  const bundleOf = (actor: Actor, idOrSlug: string) => {
    const project = projectPolicy.require(actor, 'read', projects.store.find(idOrSlug))
    const readable = offered(project.id).filter((file) => files.policy.can(actor, 'read', file))
    if (readable.length === 0) throw notFound('File')
    const isPublic = project.isPublic && readable.every((file) => file.isPublic)
    return { name: project.slug, files: readable, projectId: project.id, isPublic }
  }
  return { offered, bundleOf }
}
