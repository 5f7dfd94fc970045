import type { Middleware } from 'koa'
import { isFromHere, remoteOf } from './remote'

/**
 * Redirects HTTP to HTTPS (308, RFC 9110 §15.4.9) where the certificate covers the name. Local requests are exempt:
 * they stay on this machine.
 */
export function httpsRedirect(isSecured: (name: string) => boolean): Middleware {
  return (ctx, next) => {
    const { protocol, host, isForwarded } = remoteOf(ctx)
    if (protocol === 'https' || isForwarded || isFromHere(ctx)) return next()
    const name = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
    if (!isSecured(name)) return next()
    ctx.status = 308
    ctx.set('Location', `https://${host}${ctx.url}`)
    ctx.set('Cache-Control', 'no-store')
    // The body of an upload is not read.
    if (!['GET', 'HEAD'].includes(ctx.method)) ctx.set('Connection', 'close')
    ctx.body = ''
    return undefined
  }
}
