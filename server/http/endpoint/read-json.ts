import type { Context } from 'koa'
import { AppError } from '../../core/errors'
import { whileResting } from '../listen/connections'
import { continueBody } from '../receive/continue'
import { servingOf } from './serving'

const OPTIONS = { jsonLimit: '256kb', multipart: false, urlencoded: false, text: false }

/**
 * Returns the JSON body, or `{}` without one. Throws `invalid_input`, `unsupported_media_type` and `request_timeout`.
 */
export async function readJson(ctx: Context): Promise<object> {
  if (!hasBody(ctx)) return {}
  if (!ctx.is('json')) throw new AppError('unsupported_media_type', 'Send the body as application/json')
  if (!['', 'identity'].includes(ctx.get('content-encoding'))) {
    throw new AppError('unsupported_media_type', 'Send the body without compression')
  }
  continueBody(ctx)
  const { bodyMs } = servingOf(ctx).patience
  await whileResting(ctx.req, within(bodyMs, parseBody(ctx))).catch((cause: unknown) => {
    if (cause instanceof SyntaxError) throw new AppError('invalid_input', 'Send valid JSON')
    throw cause
  })
  const body: unknown = ctx.request.body
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new AppError('invalid_input', 'Send a JSON object')
}

const hasBody = (ctx: Context) => ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length') || 0) > 0

/** Throws `request_timeout` unless the body completes within `ms`. */
async function within(ms: number, body: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooSlow(ms)), ms).unref()
  })
  await Promise.race([body, late]).finally(() => clearTimeout(timer))
}

const tooSlow = (ms: number) =>
  new AppError('request_timeout', `The body did not arrive within ${Math.ceil(ms / 1000)} seconds; send it again`)

/** Loads koa-body lazily: it brings the tables of every character set. */
async function parseBody(ctx: Context): Promise<void> {
  const { koaBody } = await import('koa-body')
  await koaBody(OPTIONS)(ctx, () => Promise.resolve())
}
