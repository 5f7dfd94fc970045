import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { senderSchema } from '../../contract/files/file-requests'
import { AppError } from '../../core/errors'
import { requireStillHeld } from '../../http/endpoint/call'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { declaredBytes } from '../../http/receive/pump-body'
import { OVERHEAD_BYTES, receiveFile } from '../../http/receive/receive-file'
import { findLock } from '../access-links/link-calls'
import { serveUnlock } from '../access-links/serve-unlock'
import { storeUpload } from '../uploads/upload'
import { findOpenRequest, hideStorage, requestPath, requireSender, toReceived } from './sender'
import { requireKind } from './file-request-store'
import { senderUploadRoutes } from './sender-uploads'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'projects' | 'transfers'>

/** What people without an account do with a file request: a password, a form, and tus. */
export function senderRoutes(router: Router, context: Deps): void {
  serveUnlock(router, context.accounts, api.fileRequests.unlock, {
    pathOf: requestPath,
    lockOf: (_ctx, token) => findLock(token, findOpenRequest(context, token)),
  })
  formRoute(router, context)
  senderUploadRoutes(router, context)
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
        requireKind(request, filename)
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
