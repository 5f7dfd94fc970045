import type { Context, Next } from 'koa'
import { api } from '../../contract'
import { AppError } from '../../core/errors'
import { isCall } from '../endpoint/addresses'
import { redirectTo } from './https-redirect'
import { remoteOf } from './remote'

/** The only calls below /api/host that answer from outside. /api/health does too: it tells less than these. */
const ABOUT_HOST: readonly string[] = [api.host.about.path, api.host.ping.path]

/**
 * The rules for requests through the outside door. About the host it answers almost nothing (404). Plain HTTP serves
 * what is public, and refuses all that sends or changes something (403) before a body is read; where the public origin
 * has a certificate, pages lead there (308).
 */
export function outsideRules(publicOrigin: () => string | null) {
  return (ctx: Context, next: Next): Promise<unknown> | undefined => {
    if (/^\/api\/host(\/|$)/.test(ctx.path) && !ABOUT_HOST.includes(ctx.path))
      throw new AppError('not_found', 'This API call does not exist')
    if (remoteOf(ctx).protocol === 'https') return next()
    const origin = publicOrigin()
    const secure = origin?.startsWith('https:') === true ? origin : undefined
    const isReading = ['GET', 'HEAD'].includes(ctx.method)
    if (secure !== undefined && isReading && !isCall(ctx.path)) {
      redirectTo(ctx, secure)
      return undefined
    }
    if (!isReading || hasCredentials(ctx)) throw httpsRequired(secure)
    return next()
  }
}

/** Whether a request sends an API key, a password, or a cookie of ours. */
const hasCredentials = (ctx: Context) =>
  ctx.get('x-api-key') !== '' || ctx.get('authorization') !== '' || /(^|;)\s*slipway\./.test(ctx.get('cookie'))

function httpsRequired(secure: string | undefined): AppError {
  const why = 'Others on the way can read this connection, so it takes no passwords, keys, uploads or changes.'
  const what =
    secure === undefined
      ? 'This host has no certificate for visitors from outside yet: connect in its own network, or try again later.'
      : `Use ${secure} instead.`
  return new AppError('https_required', `${why} ${what}`)
}
