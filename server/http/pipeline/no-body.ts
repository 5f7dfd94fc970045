import type { Middleware } from 'koa'
import { AppError } from '../../core/errors'

/** Methods without a body. */
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])
/** Node skips this much of an unexpected body, in bytes. */
const PASSED_OVER = 64 * 1024

/**
 * Refuses a body on methods without one (RFC 9110 §9.3.1 allows it). Node would read it to its end, which may never
 * come.
 */
export const noBody: Middleware = (ctx, next) => {
  const { 'transfer-encoding': encoding = '', 'content-length': length = 0 } = ctx.req.headers
  if (BODILESS.has(ctx.method) && (encoding !== '' || Number(length) > PASSED_OVER)) {
    throw new AppError('too_large', `${ctx.method} takes no body`)
  }
  return next()
}
