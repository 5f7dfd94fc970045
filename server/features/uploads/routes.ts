import type Router from '@koa/router'
import type { Context } from 'koa'
import { boundProject, userIdOf, type Actor } from '../../access/actor'
import { api } from '../../contract'
import { routes } from '../../contract/routes'
import { AppError } from '../../core/errors'
import { sha256Of } from '../../core/sha256'
import { replyToCall } from '../../http/endpoint/reply-json'
import { parseUpload, serveRaw } from '../../http/endpoint/serve'
import { receiveBytes } from '../../http/receive/receive-bytes'
import { OVERHEAD_BYTES, receiveFile } from '../../http/receive/receive-file'
import type { KeyedRequest } from './idempotency'
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

/**
 * Answers a request. A retry gets the stored response, before its body is read, while the file
 * exists.
 */
async function answer(context: UploadRooms, ctx: Context, actor: Actor, incoming: Incoming) {
  const { idempotency } = context.transfers
  const userId = userIdOf(actor)
  const keyed = keyedRequest(ctx)
  if (keyed === undefined) return reply(ctx, await takeUpload(context, ctx, actor, incoming))

  const request = { ...keyed, fingerprint: `${keyed.fingerprint} ${boundProject(actor)}` }
  const before = idempotency.answered(userId, request)
  if (before !== undefined && isKept(context, actor, incoming, before)) return reply(ctx, before)

  const run = idempotency.run(userId, request, (remember) =>
    takeUpload(context, ctx, actor, incoming, remember),
  )
  reply(ctx, await run)
}

/**
 * Whether an uploaded file still exists and is in its project. A form may name the project in its
 * body, which is not read yet.
 */
function isKept(
  { files, projects }: UploadRooms,
  actor: Actor,
  { metadata }: Incoming,
  uploaded: object,
): boolean {
  const fileId = readFileId(uploaded)
  const file = files.store.find(fileId)
  if (!file) return false
  if (metadata.for_preview) return file.previewOf !== undefined

  const target = metadata.project_id || boundProject(actor)
  if (!target) return true

  const project = projects.store.find(target)
  return project !== undefined && projects.store.links.find(project.id, fileId) !== undefined
}

const readFileId = (body: object) => (body as { file_id: string }).file_id

function reply(ctx: Context, body: object): void {
  // The share sheet of a phone sends a form (manifest.webmanifest), and shows where it leads.
  if (ctx.get('sec-fetch-dest') === 'document') {
    ctx.redirect(`${routes.myFiles}?shared=${readFileId(body)}`)
    ctx.status = 303
    return
  }

  ctx.status = 201
  ctx.set('Location', `/api/files/${readFileId(body)}`)
  replyToCall(ctx, api.files.upload, body)
}

/** A structured string (RFC 8941 §3.3.3). Most clients omit the quotes. */
const KEY = /^(?:"([\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255}))$/

/**
 * Reads `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header §2.1). Returns undefined if
 * there is none. Throws `invalid_input`.
 */
function keyedRequest(ctx: Context): KeyedRequest | undefined {
  const header = ctx.get('idempotency-key').trim()
  if (header === '') return undefined
  const [, quoted, bare] = KEY.exec(header) ?? []
  const key = quoted ?? bare

  if (key === undefined) {
    throw new AppError(
      'invalid_input',
      'Send Idempotency-Key as 1 to 255 visible characters',
      'Idempotency-Key',
    )
  }

  return { key, fingerprint: fingerprintOf(ctx) }
}

/** Does not hash the body: a retried form has another boundary of the same length. */
function fingerprintOf(ctx: Context): string {
  const headers = ['content-length', 'repr-digest', 'x-content-sha256'].map((name) => ctx.get(name))
  const request = [ctx.method, ctx.path, ctx.querystring, ctx.request.type, ...headers]
  return sha256Of(JSON.stringify(request), 'base64url')
}
