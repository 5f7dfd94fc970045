import type { Context } from 'koa'
import { AppError } from '../errors'
import { parseBody } from './body-parser'
import { continueBody } from './continue'

const OPTIONS = { jsonLimit: '256kb', multipart: false, urlencoded: false, text: false }

/**
 * The JSON body of a request; `{}` when there is none. Throws `invalid_input` where it cannot be read, and
 * `unsupported_media_type` for any other kind of body.
 */
export async function readJson(ctx: Context): Promise<object> {
  if (!hasBody(ctx)) return {}
  if (!ctx.is('json')) throw new AppError('unsupported_media_type', 'Send the body as application/json')
  if (!['', 'identity'].includes(ctx.get('content-encoding'))) {
    throw new AppError('unsupported_media_type', 'Send the body without compression')
  }
  continueBody(ctx)
  await parseBody(ctx, OPTIONS).catch((cause: unknown) => {
    if (cause instanceof SyntaxError) throw new AppError('invalid_input', 'Send valid JSON')
    throw cause
  })
  const body: unknown = ctx.request.body
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new AppError('invalid_input', 'Send a JSON object')
}

const hasBody = (ctx: Context) => ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length') || 0) > 0
