import type Router from '@koa/router'
import { userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type FileRequest } from '../../contract'
import type { FileRequestRecord } from '../../data/records/file-records'
import { serve } from '../../http/endpoint/serve'
import { hashLinkPassword, presentLink } from '../access-links/link-calls'
import { projectPolicy } from '../projects/policy'
import { requestPath } from './sender'
import { senderRoutes } from './sender-routes'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'network' | 'projects' | 'transfers'>

/** File requests: owners manage theirs; people without an account send files. */
export function fileRequestRoutes(router: Router, context: Deps): void {
  manageRoutes(router, context)
  changeRoutes(router, context)
  senderRoutes(router, context)
}

function manageRoutes(router: Router, context: Deps): void {
  const { fileRequests, store: files } = context.files
  const { audit, users } = context.accounts

  serve(router, api.fileRequests.list, ({ actor }) => {
    const userId = userIdOf(actor)
    const seenAt = users.find(userId)?.receivedSeenAt ?? ''
    const received = files.receivedOf(userId)
    const firstSeen = received.findIndex(({ uploadedAt }) => uploadedAt <= seenAt)

    return {
      file_requests: fileRequests
        .ofTarget(userId)
        .map((request) => presentFileRequest(context, request)),
      received_files: received.length,
      new_files: firstSeen === -1 ? received.length : firstSeen,
    }
  })

  serve(router, api.fileRequests.create, async ({ actor, input, ctx }) => {
    const { name, password, expires_at: expiresAt, most_files: mostFiles } = input
    const { most_bytes: mostBytes = null, kinds, project_id } = input
    findProject(context, actor, project_id)

    const passwordHash = await hashLinkPassword(context.accounts, ctx, password ?? null)

    // The project can be deleted during the hash.
    const projectId = findProject(context, actor, project_id) ?? null
    const fields = { name, passwordHash, projectId, mostFiles, mostBytes, kinds, expiresAt }
    const request = await fileRequests.create(userIdOf(actor), fields)

    audit.record(ctx, { kind: 'request_create', subject: name })
    return { file_request: presentFileRequest(context, request) }
  })

  serve(router, api.fileRequests.markSeen, async ({ actor }) => {
    await users.markReceivedSeen(userIdOf(actor))
    return {}
  })
}

function changeRoutes(router: Router, context: Deps): void {
  const { fileRequests } = context.files
  const { audit } = context.accounts

  serve(router, api.fileRequests.update, async ({ actor, input, ctx }) => {
    const ownerId = userIdOf(actor)
    const { id } = fileRequests.require(ownerId, input.requestId)
    findProject(context, actor, input.project_id)
    const { name, password, expires_at: expiresAt } = input
    const { most_files: mostFiles, most_bytes: mostBytes, kinds } = input

    const passwordHash = await hashLinkPassword(context.accounts, ctx, password)

    const projectId = findProject(context, actor, input.project_id)
    const change = { name, passwordHash, projectId, mostFiles, mostBytes, kinds, expiresAt }
    const request = await fileRequests.change(ownerId, id, change)

    audit.record(ctx, { kind: 'request_change', subject: request.name })
    return { file_request: presentFileRequest(context, request) }
  })

  serve(router, api.fileRequests.renew, async ({ actor, input, ctx }) => {
    const request = await fileRequests.renew(userIdOf(actor), input.requestId)
    await cutUploads(context, request)

    audit.record(ctx, { kind: 'request_renew', subject: request.name })
    return { file_request: presentFileRequest(context, request) }
  })

  serve(router, api.fileRequests.end, async ({ actor, input, ctx }) => {
    const request = fileRequests.require(userIdOf(actor), input.requestId)
    await fileRequests.end(request)
    await cutUploads(context, request)

    audit.record(ctx, { kind: 'request_end', subject: request.name })
    return {}
  })
}

/** Discards the unfinished uploads of a request, also running ones. */
async function cutUploads(
  { files: { uploads }, transfers: { resumable } }: Rooms<'files' | 'transfers'>,
  { id }: FileRequestRecord,
): Promise<void> {
  for (const upload of [...uploads.unfinishedOfRequest(id)]) {
    const discard = async (current: typeof upload | undefined) => {
      if (current?.fileId === null) await resumable.discard(current)
    }
    await resumable.during(upload, discard, { atOnce: true })
  }
}

/**
 * Returns the id of a project of the actor, whose webhooks then hear of files. Null and undefined
 * stay. Throws `not_found` and `forbidden`.
 */
const findProject = (
  { projects: { store } }: Rooms<'projects'>,
  actor: Actor,
  named: string | null | undefined,
): string | null | undefined =>
  named ? projectPolicy.require(actor, 'webhooks', store.find(named)).id : named

function presentFileRequest(
  context: Rooms<'files' | 'network'>,
  request: FileRequestRecord,
): FileRequest {
  const { fileRequests } = context.files

  return {
    request_id: request.id,
    ...presentLink(context, fileRequests, request, requestPath),
    most_files: request.mostFiles,
    most_bytes: request.mostBytes,
    kinds: request.kinds ?? [],
    project_id: request.projectId,
    files: request.files,
    bytes: request.bytes,
  }
}
