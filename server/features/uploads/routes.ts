import type Router from '@koa/router'
import type { Context } from 'koa'
import { boundProject, userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { keyedRequest } from '../../http/endpoint/idempotency-key'
import { replyToCall } from '../../http/endpoint/reply-json'
import { parseUpload, serveRaw } from '../../http/endpoint/serve'
import type { Transaction } from '../../data/library/library'
import type { FileRecord } from '../files/file-store'
import { presentFile } from '../files/presenter'
import { takeBytes, takeForm } from './upload'

type Take = (also: (tx: Transaction, file: FileRecord) => void) => Promise<FileRecord>

/** The two calls that take a whole file: as a form, and as the bytes themselves. */
export function uploadRoutes(
  router: Router,
  context: Rooms<'accounts' | 'data' | 'files' | 'projects' | 'transfers'>,
): void {
  serveRaw(router, api.files.upload, (ctx, { actor }) =>
    answer(context, ctx, actor, (also) => takeForm(context, ctx, actor, also)),
  )

  serveRaw(router, api.files.put, (ctx, { actor }, params) => {
    const input = parseUpload(api.files.put.input, { ...ctx.query, ...params })
    return answer(context, ctx, actor, (also) => takeBytes(context, ctx, actor, input, also))
  })
}

/** Answers a retry with a key as the first request was answered, before anything of it is read. */
async function answer(
  context: Rooms<'accounts' | 'files' | 'transfers'>,
  ctx: Context,
  actor: Actor,
  take: Take,
): Promise<void> {
  const { idempotency } = context.transfers
  const { audit } = context.accounts
  const keyed = keyedRequest(ctx)
  const request = keyed && { ...keyed, fingerprint: `${keyed.fingerprint} ${boundProject(actor)}` }
  const before = request && idempotency.answered(userIdOf(actor), request)
  if (before !== undefined) return reply(ctx, before)
  const run = async (remember: (tx: Transaction, body: object) => void) => {
    const file = await take((tx, added) => remember(tx, replyTo(context, added, actor)))
    audit.record(ctx, { kind: 'file_upload', subject: file.filename, detail: file.isPublic ? 'public' : 'private' })
    return replyTo(context, file, actor)
  }
  reply(ctx, request ? await idempotency.run(userIdOf(actor), request, run) : await run(() => undefined))
}

function replyTo(context: Rooms<'accounts' | 'files'>, file: FileRecord, actor: Actor) {
  const shown = presentFile(context, file, actor)
  return { message: 'File uploaded successfully!', file_id: file.id, file: shown }
}

function reply(ctx: Context, body: object): void {
  ctx.status = 201
  ctx.set('Location', `/api/files/${(body as { file_id: string }).file_id}`)
  replyToCall(ctx, api.files.upload, body)
}
