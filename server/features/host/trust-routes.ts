import type { X509Certificate } from 'node:crypto'
import type { Middleware } from 'koa'
import type { Rooms } from '../../compose/context'
import { renderDocument } from '../../http/pages/html'
import { originAsked, remoteOf } from '../../http/pipeline/remote'

/**
 * Serves `/trust` (how a device trusts this host) and `/ca.crt`, also over plain HTTP and without
 * scripts: a device that does not trust the host yet could not load them otherwise. Not for clients
 * from outside, where the certificate is public.
 */
export function trustPage({ network: { https } }: Rooms<'network'>): Middleware {
  return async (ctx, next) => {
    const { authority } = https
    if (remoteOf(ctx).isOutside || !authority) {
      await next()
      return
    }

    ctx.set('Cache-Control', 'no-cache')

    if (ctx.path === '/ca.crt') {
      ctx.type = 'application/x-x509-ca-cert'
      ctx.body = authority.toString()
    } else {
      const { TrustPage } = await import('../../../renderer/visitor/plain/trust-page')
      ctx.type = 'text/html; charset=utf-8'
      ctx.body = await renderDocument(TrustPage, {
        fingerprint: authority.fingerprint256,
        validFrom: dayOf(authority),
        secureUrl: originAsked(ctx).replace(/^http:/, 'https:'),
      })
    }
  }
}

const dayOf = ({ validFrom }: X509Certificate) => new Date(validFrom).toISOString().slice(0, 10)
