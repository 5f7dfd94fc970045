import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type BuildWarning } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import type { Transaction } from '../../data/library/library'
import type { FileRecord } from '../../data/records/file-records'
import { forEachId } from '../../http/endpoint/many'
import { serve } from '../../http/endpoint/serve'
import type { Entered } from './linking'
import { projectPolicy } from '../projects/policy'
import { presentLink } from '../projects/presenter'
import { viewProject } from '../projects/project-view'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'projects'>

/** Links and unlinks the files of a project. */
export function linkRoutes(router: Router, context: Deps): void {
  const { store: projects } = context.projects
  const { store: files } = context.files
  const { library } = context.data
  const { audit } = context.accounts
  const link = createLinker(context)

  serve(router, api.projects.link, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'link', projects.find(input.id))
    const warnings = await link(ctx, actor, id, input.file_id, input)

    const view = viewProject(context, actor, id, 'link')
    const linked = projects.links.find(id, input.file_id)
    const download = linked && presentLink(view, linked)
    if (!download) throw notFound('File')
    return { download, warnings }
  })

  serve(router, api.projects.linkMany, async ({ actor, input, ctx }) => {
    const { id } = projectPolicy.require(actor, 'link', projects.find(input.id))
    const warnings: { id: string; code: BuildWarning['code']; message: string }[] = []

    const outcome = await forEachId(input.file_ids, async (fileId) => {
      for (const warning of await link(ctx, actor, id, fileId, input))
        warnings.push({ id: fileId, ...warning })
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

function createLinker(context: Deps) {
  const { store: projects, linkingTo } = context.projects
  const { store: files, policy: filePolicy, quota } = context.files
  return async (
    ctx: Context,
    actor: Actor,
    projectId: string,
    fileId: string,
    entered: Entered,
  ) => {
    const file = filePolicy.require(actor, 'update', files.find(fileId))
    quota.requireSize(file.size)
    const { ownerId, link } = linkingTo(actor, projectId)

    const warnings = await context.data.library.transact((tx) => {
      handOver(context, tx, file, ownerId)
      return link(tx, file, entered)
    })

    const detail = projects.find(projectId)?.title
    context.accounts.audit.record(ctx, { kind: 'file_link', subject: file.filename, detail })
    return warnings
  }
}

/**
 * Gives a maintainer's file to the owner of the project that it enters, who then pays for it, in
 * the transaction that links it. Its share links end. Throws `in_use` for a file of other projects,
 * and `quota_exceeded`.
 */
function handOver(
  { files: { store, shareLinks, quota }, projects }: Rooms<'files' | 'projects'>,
  tx: Transaction,
  { id, ownerId: senderId }: FileRecord,
  ownerId: string,
): void {
  if (ownerId === senderId) return

  const file = store.find(id)
  // Another request may have been faster.
  if (file?.ownerId !== senderId) throw notFound('File')

  if (projects.store.links.ofFile(id).length > 0) {
    const message = `${file.filename} is in another project. Upload it to this one instead`
    throw new AppError('in_use', message, 'file_id')
  }

  quota.require(ownerId, file.size, { isOwn: false })
  // What its sender wrote was for the owner before.
  store.put(tx, { ...file, ownerId, received: undefined })
  shareLinks.forgetTarget(tx, id)
}
