import type { Context, Middleware } from 'koa'
import { AppError } from '../../core/errors'
import { originAsked, remoteOf } from './remote'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses unsafe requests from pages of other sites (403). Cookies and SameSite ignore ports, so `Origin` must match
 * exactly. A request without `Origin` and `Sec-Fetch-Site` comes from a script: browsers send `Origin` with every
 * unsafe method (Fetch standard, "append a request `Origin` header"). API keys are exempt: no page can add that header
 * across origins. From outside the public URL does not count: only the public origin leads here.
 */
export function originCheck(publicUrl: () => string | null): Middleware {
  return (ctx, next) => {
    if (!SAFE.has(ctx.method) && ctx.get('x-api-key') === '' && isForeign(ctx, publicUrl()))
      throw new AppError('foreign_origin', 'This request came from another site')
    return next()
  }
}

function isForeign(ctx: Context, publicUrl: string | null): boolean {
  const { origin, 'sec-fetch-site': site } = ctx.req.headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  if (origin === undefined || origin === originAsked(ctx)) return false
  return publicUrl === null || remoteOf(ctx).isOutside || origin !== new URL(publicUrl).origin
}
