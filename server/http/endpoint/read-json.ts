import type { Context } from 'koa'
import { endsWithin } from '../../core/deadline'
import { AppError } from '../../core/errors'
import { whileResting } from '../listen/connections'
import { continueBody } from '../receive/pump-body'
import { servingOf } from './serving'

const JSON_LIMIT = '256kb'
/** A form sends a character of another script as up to 12. */
const OPTIONS = { formLimit: '32kb', multipart: false, text: false }
const FORM = 'application/x-www-form-urlencoded'

/** Whether the body comes from an HTML form. */
export const isForm = (ctx: Context): boolean => ctx.is(FORM) === FORM

/**
 * Returns the JSON body, or `{}` without one. Throws `invalid_input`, `unsupported_media_type` and
 * `request_timeout`.
 */
export const readJson = (ctx: Context, jsonLimit = JSON_LIMIT): Promise<object> =>
  read(ctx, Boolean(ctx.is('json')), jsonLimit)

/** Like `readJson`, for a body that may also come from an HTML form. */
export const readBody = (ctx: Context): Promise<object> =>
  read(ctx, isForm(ctx) || Boolean(ctx.is('json')))

async function read(ctx: Context, isReadable: boolean, jsonLimit = JSON_LIMIT): Promise<object> {
  if (!hasBody(ctx)) return {}
  if (!isReadable) throw new AppError('unsupported_media_type', 'Send the body as application/json')
  if (!['', 'identity'].includes(ctx.get('content-encoding'))) {
    throw new AppError('unsupported_media_type', 'Send the body without compression')
  }

  continueBody(ctx)
  const { bodyMs } = servingOf(ctx).patience
  await whileResting(ctx.req, parseWithin(bodyMs, parseBody(ctx, jsonLimit))).catch(
    (cause: unknown) => {
      if (cause instanceof SyntaxError) throw new AppError('invalid_input', 'Send valid JSON')
      throw cause
    },
  )

  const body: unknown = ctx.request.body
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new AppError('invalid_input', 'Send a JSON object')
}

const hasBody = (ctx: Context) =>
  ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length') || 0) > 0

/** Throws `request_timeout` unless the body completes within `ms`. */
async function parseWithin(ms: number, parsing: Promise<void>): Promise<void> {
  if (!(await endsWithin(ms, parsing))) throw tooSlow(ms)
}

const tooSlow = (ms: number) =>
  new AppError(
    'request_timeout',
    `The body did not arrive within ${Math.ceil(ms / 1000)} seconds; send it again`,
  )

/** Loads koa-body lazily: it brings the tables of every character set. */
async function parseBody(ctx: Context, jsonLimit: string): Promise<void> {
  const { koaBody } = await import('koa-body')
  await koaBody({ ...OPTIONS, jsonLimit, urlencoded: isForm(ctx) })(ctx, () => Promise.resolve())
}
