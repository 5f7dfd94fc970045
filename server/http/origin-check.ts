import type { Context, Middleware } from 'koa'
import { AppError } from '../errors'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses unsafe requests that another site's page sends (403). Cookies ignore ports and SameSite does too, so the
 * Origin must be ours exactly. A request with an API key is exempt: no page can add that header across origins.
 * A request without Origin and Sec-Fetch-Site does not come from a browser.
 */
export function originCheck(publicUrl: () => string | null): Middleware {
  return (ctx, next) => {
    if (!SAFE.has(ctx.method) && ctx.get('x-api-key') === '' && isForeign(ctx, publicUrl())) {
      throw new AppError('foreign_origin', 'This request came from another site')
    }
    return next()
  }
}

function isForeign(ctx: Context, publicUrl: string | null): boolean {
  const origin = ctx.get('origin')
  if (origin === '') return !['', 'same-origin', 'none'].includes(ctx.get('sec-fetch-site'))
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return false
  return (
    !URL.canParse(origin) ||
    new URL(origin).origin !== `${ctx.protocol}://${new URL(`${ctx.protocol}://${ctx.get('host')}`).host}`
  )
}
