import type Router from '@koa/router'
import type { Context } from 'koa'
import { linkEnded } from '../../access/link-terms'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { senderSchema, sentMetadataSchema } from '../../contract/files/file-requests'
import { AppError } from '../../core/errors'
import type { FileRequestRecord, Received } from '../../data/records/file-records'
import type { UploadRecord } from '../../data/records/upload-records'
import { callerOf, requireStillHeld } from '../../http/endpoint/call'
import { parseInput, serve, serveRaw } from '../../http/endpoint/serve'
import { declaredBytes } from '../../http/receive/pump-body'
import { OVERHEAD_BYTES, receiveFile } from '../../http/receive/receive-file'
import { parseMetadata, requireBytes, requireVersion, requireWhole } from '../../http/receive/tus'
import {
  finishUpload,
  parseSize,
  requireOffset,
  requireUnexpired,
  takeAppend,
  tellProgress,
} from '../resumable-uploads/tus-calls'
import { serveUnlock } from '../share-links/serve-unlock'
import { storeUpload } from '../uploads/upload'
import {
  findOpenRequest,
  findRequest,
  hideStorage,
  requestLock,
  requestPath,
  requireSender,
} from './sender'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'projects' | 'transfers'>

/** What people without an account do with a file request: a password, a form, and tus. */
export function senderRoutes(router: Router, context: Deps): void {
  serveUnlock(router, context.accounts, api.fileRequests.unlock, {
    pathOf: requestPath,
    lockOf: (_ctx, token) => requestLock(token, findOpenRequest(context, token)),
  })
  formRoute(router, context)
  startRoute(router, context)
  uploadRoutes(router, context)
}

/**
 * Receives one file by a form. A browser is redirected to a page that says so, or what is wrong; a
 * program gets the error.
 */
function formRoute(router: Router, context: Deps): void {
  const { input } = api.fileRequests.send
  serveRaw(router, api.fileRequests.send, async (ctx, _caller, params) => {
    const { requestToken } = parseInput(input.pick({ requestToken: true }), params)
    const page = requestPath(requestToken)

    try {
      await hideStorage(receiveForm(context, ctx, requestToken))
      ctx.status = 302
      // The same page for each link: this file may have been its last.
      ctx.redirect(`${page}/sent`)
    } catch (cause) {
      if (!(cause instanceof AppError) || !ctx.get('accept').includes('text/html')) throw cause
      ctx.status = 302
      ctx.redirect(`${page}?problem=${cause.code}`)
    }
  })
}

async function receiveForm(context: Deps, ctx: Context, token: string): Promise<void> {
  const request = await requireSender(context, ctx, token)
  const { fileRequests, quota } = context.files
  const leastBytes = Math.max(0, declaredBytes(ctx) - OVERHEAD_BYTES)
  quota.requireSize(leastBytes)
  using place = fileRequests.hold(request, leastBytes)

  const { file } = await storeUpload(
    context,
    ctx,
    {
      aroundBytes: OVERHEAD_BYTES,
      payerId: request.ownerId,
      isOwn: false,
      requireSender(bytes) {
        requireStillHeld(ctx)
        place.cover(bytes)
      },
      async receive(draft, pace) {
        const { fields, filename } = await receiveFile(ctx, draft.stream, pace)
        return { ...parseInput(senderSchema, fields), filename }
      },
    },
    (sender) => {
      const received = toReceived(request, sender)
      const { ownerId } = request
      return {
        version: null,
        sha256: null,
        place() {
          requireStillHeld(ctx)
          return { ownerId, payerId: ownerId, isOwn: false, isPublic: false, received }
        },
        record(tx, added) {
          fileRequests.receive(tx, received, added.size)
          return { file: added }
        },
      }
    },
  )

  const { audit } = context.accounts
  audit.record(ctx, { kind: 'file_receive', subject: file.filename, detail: request.name })
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

const toReceived = (
  { id, name }: FileRequestRecord,
  sender: Pick<Received, 'from' | 'message'>,
): Received => ({ requestId: id, request: name, from: sender.from, message: sender.message })
