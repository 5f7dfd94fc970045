import type { Context, Middleware } from 'koa'
import { AppError } from '../errors'
import { callerOf } from './call'
import { originAsked } from './remote'

/** For whoever sends a cookie by hand: browsers name the origin of every change. */
const UNNAMED = 'A change with a session cookie must carry the Origin of this host; scripts send an API key instead'
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses unsafe requests that another site's page sends (403). Cookies ignore ports and SameSite does too, so the
 * Origin must be ours exactly, and whoever comes with a session must name it. A request with an API key is exempt: no
 * page can add that header across origins. Without a session, a request that has neither Origin nor Sec-Fetch-Site does
 * not come from a browser.
 */
export function originCheck(publicUrl: () => string | null): Middleware {
  return (ctx, next) => {
    if (!SAFE.has(ctx.method) && ctx.get('x-api-key') === '' && isForeign(ctx, publicUrl())) {
      throw new AppError('foreign_origin', ctx.get('origin') === '' ? UNNAMED : 'This request came from another site')
    }
    return next()
  }
}

function isForeign(ctx: Context, publicUrl: string | null): boolean {
  const origin = ctx.get('origin')
  if (origin === '') return hasSession(ctx) || !['', 'same-origin', 'none'].includes(ctx.get('sec-fetch-site'))
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return false
  return !URL.canParse(origin) || new URL(origin).origin !== originAsked(ctx)
}

const hasSession = (ctx: Context) => callerOf(ctx).actor.kind !== 'visitor'
