import type Router from '@koa/router'
import type { AppContext } from '../../context'
import { api } from '../../contract'
import { notFound } from '../../errors'
import { parseInput, serve, serveRaw } from '../../http/serve'
import { projectPolicy } from './policy'
import { presentLink } from './presenter'
import type { ProjectRecord } from './project-store'

/** The files that a project offers: link, unlink, download. */
export function linkRoutes(router: Router, context: AppContext): void {
  const { projects, files, filePolicy, library, deliver } = context
  const linkOf = (project: ProjectRecord, fileId: string) => {
    const link = project.links.find((candidate) => candidate.fileId === fileId)
    if (!link) throw notFound('File')
    return link
  }

  serve(router, api.projects.link, async ({ actor, input }) => {
    const { id } = projectPolicy.require(actor, 'link', projects.find(input.id))
    const file = filePolicy.require(actor, 'update', files.find(input.file_id))
    const { version, platform } = input
    const project = await library.transact((tx) =>
      projects.link(tx, id, { fileId: file.id, version: version || null, platform: platform || null }),
    )
    const download = presentLink(context, project, linkOf(project, file.id), actor)
    if (!download) throw notFound('File')
    return { download }
  })

  serve(router, api.projects.unlink, async ({ actor, input }) => {
    const { id } = projectPolicy.require(actor, 'link', projects.find(input.id))
    await projects.update(id, (current) => {
      const link = linkOf(current, input.downloadId)
      return { links: current.links.filter((other) => other !== link) }
    })
    return {}
  })

  serveRaw(router, api.projects.download, async (ctx, { actor }, params) => {
    const { id, downloadId } = parseInput(api.projects.download.input, params)
    const project = projectPolicy.require(actor, 'read', projects.find(id))
    const file = filePolicy.require(actor, 'read', files.find(linkOf(project, downloadId).fileId))
    await deliver(ctx, file, project.id)
  })
}
