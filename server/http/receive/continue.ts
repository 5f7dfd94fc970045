import type { Context } from 'koa'

/** Tells a client that waits for it (`Expect: 100-continue`, RFC 9110 §10.1.1) to send the body now. */
export function continueBody(ctx: Context): void {
  if (ctx.get('expect').toLowerCase() === '100-continue') ctx.res.writeContinue()
}
