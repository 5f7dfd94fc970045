import type { Context } from 'koa'

/** Answers `Expect: 100-continue` (RFC 9110 §10.1.1), so that the client sends the body. */
export function continueBody(ctx: Context): void {
  if (ctx.get('expect').toLowerCase() === '100-continue') ctx.res.writeContinue()
}
