import type { Context, Middleware } from 'koa'
import { AppError } from '../../core/errors'
import { originAsked } from './remote'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses unsafe requests that a page of another site sends (403). Cookies and SameSite ignore ports, so `Origin` must
 * be exactly ours. A request with neither `Origin` nor `Sec-Fetch-Site` comes from a script, because every current
 * browser sends `Origin` with an unsafe method (Fetch standard, "append a request `Origin` header"). A request with an
 * API key is exempt: no page can add that header across origins.
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
  return publicUrl === null || origin !== new URL(publicUrl).origin
}
