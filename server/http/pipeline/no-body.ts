import type { Middleware } from 'koa'
import { AppError } from '../../core/errors'

/** They say everything in their head. */
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])
/** What some clients send all the same: Node passes over it, in bytes. */
const PASSED_OVER = 64 * 1024

/**
 * Refuses a body where nobody reads one, as RFC 9110 §9.3.1 allows. Node would read it to its end to find the next
 * request behind it, and it may have none.
 */
export const noBody: Middleware = (ctx, next) => {
  const isEndless = ctx.get('transfer-encoding') !== ''
  if (BODILESS.has(ctx.method) && (isEndless || Number(ctx.get('content-length')) > PASSED_OVER)) {
    throw new AppError('too_large', `${ctx.method} takes no body`)
  }
  return next()
}
