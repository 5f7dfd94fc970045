import type { Context, Middleware } from 'koa'
import { isFromHere, remoteOf } from './remote'

/**
 * Redirects HTTP to HTTPS where the certificate covers the name. Local requests are exempt: they stay on this machine.
 * Those from outside have rules of their own.
 */
export function httpsRedirect(isSecured: (name: string) => boolean): Middleware {
  return (ctx, next) => {
    const { protocol, host, isForwarded, isOutside } = remoteOf(ctx)
    if (protocol === 'https' || isForwarded || isOutside || isFromHere(ctx)) return next()
    const name = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
    if (!isSecured(name)) return next()
    return redirectTo(ctx, `https://${host}`)
  }
}

/** Redirects to the same address at another origin (308, RFC 9110 §15.4.9). */
export function redirectTo(ctx: Context, origin: string): void {
  ctx.status = 308
  ctx.set('Location', origin + ctx.path + ctx.search)
  ctx.set('Cache-Control', 'no-store')
  // The body of an upload is not read.
  if (!['GET', 'HEAD'].includes(ctx.method)) ctx.set('Connection', 'close')
  ctx.body = ''
}
