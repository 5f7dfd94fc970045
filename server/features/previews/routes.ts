import type Router from '@koa/router'
import type { Rooms } from '../../compose/context'
import { api, type Preview } from '../../contract'
import type { PreviewRecord } from '../../data/records/project-records'
import { serve } from '../../http/endpoint/serve'
import { linkAddress } from '../../network/link-address'
import { projectPolicy } from '../projects/policy'

type Deps = Rooms<
  'accounts' | 'deletion' | 'files' | 'network' | 'previews' | 'projects' | 'transfers'
>

/** Previews: whoever may add files to a project makes and ends them; its team sees them. */
export function previewRoutes(router: Router, context: Deps): void {
  const { store: projects, previews: store } = context.projects
  const { audit } = context.accounts
  const { previews } = context

  serve(router, api.previews.list, ({ actor, input }) => {
    const project = projectPolicy.require(actor, 'testers', projects.find(input.id))
    const current = store.ofTarget(project.id).filter((preview) => store.isCurrent(preview))
    return { previews: current.map((preview) => presentPreview(context, preview)) }
  })

  serve(router, api.previews.put, async ({ actor, input, ctx }) => {
    const project = projectPolicy.require(actor, 'link', projects.find(input.id))
    const { name, title, commit, days, keep } = input
    const { file_ids: fileIds, request_url: requestUrl, preview_id: previewId } = input
    const change = { name, title, commit, days, keep, fileIds, requestUrl, previewId }
    const preview = await previews.put(project, change)

    const subject = preview.name
    audit.record(ctx, { kind: 'preview_put', subject, detail: project.title })
    return { preview: presentPreview(context, preview) }
  })

  serve(router, api.previews.end, async ({ actor, input, ctx }) => {
    const project = projectPolicy.require(actor, 'link', projects.find(input.id))
    const preview = store.requireNamed(project.id, input.name)
    await previews.end(preview)

    context.transfers.running.recheck()
    audit.record(ctx, { kind: 'preview_end', subject: preview.name, detail: project.title })
    return {}
  })
}

function presentPreview(
  { files, network, projects }: Rooms<'files' | 'network' | 'projects'>,
  preview: PreviewRecord,
): Preview {
  const { opens, downloads } = files.counts.ofAccessLink(preview.id)
  const token = projects.previews.tokenOf(preview)

  return {
    preview_id: preview.id,
    name: preview.name,
    title: preview.title,
    request_url: preview.requestUrl,
    url: token === undefined ? null : linkAddress(network, `/t/${token}`),
    created_at: preview.createdAt,
    expires_at: preview.expiresAt,
    keep: preview.keep,
    builds: preview.builds.map(({ number, commit, createdAt, fileIds }) => ({
      number,
      commit,
      created_at: createdAt,
      files: fileIds.flatMap((id) => {
        const file = files.store.find(id)
        return file ? [{ file_id: id, filename: file.filename, size: file.size }] : []
      }),
    })),
    opens,
    downloads,
  }
}
