import type Router from '@koa/router'
import type { Context } from 'koa'
import { userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { notFound } from '../../core/errors'
import { forEachId } from '../../http/endpoint/many'
import { serve } from '../../http/endpoint/serve'
import { newLink, type Entered } from './linking'
import { projectPolicy } from './policy'
import { presentLink } from './presenter'

/** Linking and unlinking the files of a project. */
export function linkRoutes(router: Router, context: Rooms<'accounts' | 'data' | 'files' | 'projects'>): void {
  const { store: projects, events: projectEvents } = context.projects
  const { store: files, policy: filePolicy } = context.files
  const { library } = context.data
  const { audit } = context.accounts
  const link = async (ctx: Context, actor: Actor, projectId: string, fileId: string, entered: Entered) => {
    const file = filePolicy.require(actor, 'update', files.find(fileId))
    const project = await library.transact((tx) => projects.link(tx, projectId, newLink(file, entered)))
    audit.record(ctx, { kind: 'file_link', subject: file.filename, detail: project.title })
    projectEvents.tell({ kind: 'file', project, userId: userIdOf(actor), subjectId: fileId })
    return project
  }

  serve(router, api.projects.link, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'link', projects.find(input.id))
    const project = await link(ctx, actor, id, input.file_id, input)
    const linked = projects.links.find(id, input.file_id)
    const download = linked && presentLink(context, project, linked, actor)
    if (!download) throw notFound('File')
    return { download }
  })

  serve(router, api.projects.linkMany, ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'link', projects.find(input.id))
    return forEachId(input.file_ids, (fileId) => link(ctx, actor, id, fileId, input))
  })

  serve(router, api.projects.unlink, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'link', projects.find(input.id))
    const project = await library.transact((tx) => projects.unlink(tx, id, input.downloadId))
    const subject = files.find(input.downloadId)?.filename
    audit.record(ctx, { kind: 'file_unlink', subject, detail: project.title })
    return {}
  })
}
