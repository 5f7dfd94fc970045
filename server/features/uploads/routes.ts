import type Router from '@koa/router'
import type { Context } from 'koa'
import { boundProject, userIdOf, type Actor } from '../../access/actor'
import { api } from '../../contract'
import { keyedRequest } from '../../http/endpoint/idempotency-key'
import { replyToCall } from '../../http/endpoint/reply-json'
import { parseUpload, serveRaw } from '../../http/endpoint/serve'
import { receiveBytes } from '../../http/receive/receive-bytes'
import { OVERHEAD_BYTES, receiveFile } from '../../http/receive/receive-file'
import { takeUpload, type Incoming, type UploadRooms } from './upload'

/** Whole-file uploads: as a form, and as raw bytes. */
export function uploadRoutes(router: Router, context: UploadRooms): void {
  const { input } = api.files.upload

  serveRaw(router, api.files.upload, async (ctx, { actor }) => {
    const metadata = parseUpload(input, ctx.query)
    await answer(context, ctx, actor, {
      metadata,
      aroundBytes: OVERHEAD_BYTES,
      async receive(draft, pace) {
        const { fields, filename } = await receiveFile(ctx, draft.stream, pace)
        return { ...parseUpload(input, { ...ctx.query, ...fields }), filename }
      },
    })
  })

  serveRaw(router, api.files.put, async (ctx, { actor }, params) => {
    const metadata = parseUpload(api.files.put.input, { ...ctx.query, ...params })
    await answer(context, ctx, actor, {
      metadata,
      aroundBytes: 0,
      async receive(draft, pace) {
        await receiveBytes(ctx, draft.stream, pace)
        return metadata
      },
    })
  })
}

/** Answers a retry with the stored reply, before reading its body. */
async function answer(context: UploadRooms, ctx: Context, actor: Actor, incoming: Incoming): Promise<void> {
  const { idempotency } = context.transfers
  const userId = userIdOf(actor)
  const keyed = keyedRequest(ctx)
  if (keyed === undefined) return reply(ctx, await takeUpload(context, ctx, actor, incoming))
  const request = { ...keyed, fingerprint: `${keyed.fingerprint} ${boundProject(actor)}` }
  const before = idempotency.answered(userId, request)
  if (before !== undefined) return reply(ctx, before)
  const run = idempotency.run(userId, request, (remember) => takeUpload(context, ctx, actor, incoming, remember))
  reply(ctx, await run)
}

function reply(ctx: Context, body: object): void {
  ctx.status = 201
  ctx.set('Location', `/api/files/${(body as { file_id: string }).file_id}`)
  replyToCall(ctx, api.files.upload, body)
}
