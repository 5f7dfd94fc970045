import type Router from '@koa/router'
import type { Context } from 'koa'
import { linkEnded } from '../../access/link-ended'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { sentMetadataSchema } from '../../contract/files/file-requests'
import type { FileRequestRecord } from '../../data/records/file-records'
import type { UploadRecord } from '../../data/records/upload-records'
import { callerOf, requireStillHeld } from '../../http/endpoint/call'
import { parseInput, serve, serveRaw } from '../../http/endpoint/serve'
import { parseMetadata, requireBytes, requireVersion, requireWhole } from '../../http/receive/tus'
import {
  finishUpload,
  parseSize,
  requireOffset,
  requireUnexpired,
  takeAppend,
  tellProgress,
} from '../resumable-uploads/tus-calls'
import { findRequest, hideStorage, requestPath, requireSender, toReceived } from './sender'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'projects' | 'transfers'>

/** Resumable uploads to file requests, by tus. */
export function senderUploadRoutes(router: Router, context: Deps): void {
  startRoute(router, context)
  uploadRoutes(router, context)
}

function startRoute(router: Router, context: Deps): void {
  serve(router, api.fileRequests.startUpload, async ({ input, ctx }) => {
    requireVersion(ctx, { mayBeAbsent: false })
    requireWhole(ctx)
    const request = await requireSender(context, ctx, input.requestToken)

    const headers = parseInput(api.fileRequests.startUpload.headers, ctx.headers)
    const metadata = headers['upload-metadata']
    const { filename, ...sender } = parseInput(sentMetadataSchema, parseMetadata(metadata))
    const size = parseSize(context, headers['upload-length'])
    const requireRoom = () => {
      requireStillHeld(ctx)
      context.files.fileRequests.requireRoom(request, size)
    }

    requireRoom()
    const upload = await hideStorage(
      context.transfers.resumable.begin(
        {
          ownerId: request.ownerId,
          received: toReceived(request, sender),
          ...{ filename, size, metadata, isPublic: false },
          ...{ projectId: null, version: null, platform: null, sha256: null, fingerprint: null },
        },
        requireRoom,
      ),
    )

    ctx.set('Location', `${requestPath(input.requestToken)}/uploads/${upload.id}`)
    tellProgress(ctx, upload)
    return {}
  })
}

/** Resumes and cancels uploads. Their ids are secrets of their senders. */
function uploadRoutes(router: Router, context: Deps): void {
  const { resumable } = context.transfers
  const { uploads } = context.files
  const { uploadInfo, append, discard } = api.fileRequests

  /** A request that has got all its files still answers for them. */
  const requireUpload = async (ctx: Context, params: object) => {
    const { requestToken, uploadId } = parseInput(append.input, params)
    const request = await requireSender(context, ctx, requestToken, findRequest)
    return { request, upload: requireSent(request, uploads.find(uploadId)) }
  }

  serve(router, uploadInfo, async ({ input, ctx }) => {
    const { request, upload } = await requireUpload(ctx, input)
    requireVersion(ctx, { mayBeAbsent: true })
    const { actor } = callerOf(ctx)

    const resumed = await resumable.during(upload, async (current) => {
      const sent = requireUnexpired(uploads, requireSent(request, current))
      return hideStorage(finishUpload(context, ctx, actor, sent))
    })

    tellProgress(ctx, resumed)
    return {}
  })

  serveRaw(router, append, async (ctx, _caller, params) => {
    const { request, upload } = await requireUpload(ctx, params)
    requireVersion(ctx, { mayBeAbsent: false })
    requireBytes(ctx)
    const headers = parseInput(append.headers, ctx.headers)
    const { actor } = callerOf(ctx)

    const appended = await resumable.during(upload, async (current, lock) => {
      const sent = requireUnexpired(uploads, requireSent(request, current))
      requireOffset(sent, Number(headers['upload-offset']))
      return hideStorage(takeAppend(context, ctx, actor, sent, lock))
    })

    tellProgress(ctx, appended)
    ctx.status = 204
  })

  serveRaw(router, discard, async (ctx, _caller, params) => {
    const { upload } = await requireUpload(ctx, params)
    requireVersion(ctx, { mayBeAbsent: true })

    const drop = async (current: UploadRecord | undefined) => {
      if (current) await resumable.discard(current)
    }
    await resumable.during(upload, drop, { atOnce: true })
    ctx.status = 204
  })
}

/** Returns an upload to a request. Throws `not_found`, as for a link that has ended. */
function requireSent({ id }: FileRequestRecord, upload: UploadRecord | undefined): UploadRecord {
  if (upload?.received?.requestId !== id) throw linkEnded()
  return upload
}
