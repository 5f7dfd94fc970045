import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type BuildWarning } from '../../contract'
import { notFound } from '../../core/errors'
import { forEachId } from '../../http/endpoint/many'
import { serve } from '../../http/endpoint/serve'
import { handOver } from './hand-over'
import type { Entered } from './linking'
import { projectPolicy } from '../projects/policy'
import { presentLink } from '../projects/presenter'

/** Linking and unlinking the files of a project. */
export function linkRoutes(router: Router, context: Rooms<'accounts' | 'data' | 'files' | 'projects'>): void {
  const { store: projects, linkingTo } = context.projects
  const { store: files, policy: filePolicy } = context.files
  const { library } = context.data
  const { audit } = context.accounts
  const link = async (ctx: Context, actor: Actor, projectId: string, fileId: string, entered: Entered) => {
    const file = filePolicy.require(actor, 'update', files.find(fileId))
    const linking = linkingTo(actor, projectId)
    const warnings = await library.transact((tx) => {
      handOver(context, tx, file, linking)
      return linking.link(tx, file, entered)
    })
    audit.record(ctx, { kind: 'file_link', subject: file.filename, detail: projects.find(projectId)?.title })
    return warnings
  }

  serve(router, api.projects.link, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'link', projects.find(input.id))
    const warnings = await link(ctx, actor, id, input.file_id, input)
    const project = projectPolicy.require(actor, 'link', projects.find(id))
    const linked = projects.links.find(id, input.file_id)
    const download = linked && presentLink(context, project, linked, actor)
    if (!download) throw notFound('File')
    return { download, warnings }
  })

  serve(router, api.projects.linkMany, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'link', projects.find(input.id))
    const warnings: { id: string; code: BuildWarning['code']; message: string }[] = []
    const outcome = await forEachId(input.file_ids, async (fileId) => {
      for (const warning of await link(ctx, actor, id, fileId, input)) warnings.push({ id: fileId, ...warning })
    })
    return { ...outcome, warnings }
  })

  serve(router, api.projects.unlink, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'unlink', projects.find(input.id))
    const project = await library.transact((tx) => projects.unlink(tx, id, input.downloadId))
    const subject = files.find(input.downloadId)?.filename
    audit.record(ctx, { kind: 'file_unlink', subject, detail: project.title })
    return {}
  })
}
