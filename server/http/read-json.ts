import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { AppError } from '../errors'
import { continueBody } from './continue'

const JSON_LIMIT = '256kb'
const parse = koaBody({ jsonLimit: JSON_LIMIT, multipart: false, urlencoded: false, text: false })

/** The JSON body of a request; `{}` when there is none. Throws `unsupported_media_type` for any other kind of body. */
export async function readJson(ctx: Context): Promise<object> {
  if (!hasBody(ctx)) return {}
  if (!ctx.is('json')) throw new AppError('unsupported_media_type', 'Send the body as application/json')
  if (!['', 'identity'].includes(ctx.get('content-encoding'))) {
    throw new AppError('unsupported_media_type', 'Send the body without compression')
  }
  continueBody(ctx)
  await parse(ctx, () => Promise.resolve())
  const body: unknown = ctx.request.body
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new AppError('invalid_input', 'Send a JSON object')
}

const hasBody = (ctx: Context) => ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length') || 0) > 0
