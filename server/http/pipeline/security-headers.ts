import type { Context, Middleware } from 'koa'
import { pagePolicy } from '../pages/page-policy'
import { remoteOf } from './remote'

const HEADERS = [
  ['Content-Security-Policy', pagePolicy()],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
] as const

/** Sets the security headers of every response; downloads use a stricter policy. */
export const securityHeaders: Middleware = (ctx, next) => {
  for (const [name, value] of HEADERS) ctx.res.setHeader(name, value)
  // The address of a tester link, a share link, a file request, a report or a notice is a secret.
  if (/^\/(n|r|s|u|(v2\/)?t)\//.test(ctx.path)) ctx.set(SECRET_ADDRESS)
  if (isTrustworthy(ctx)) ctx.res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  return next()
}

const SECRET_ADDRESS = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cache-Control': 'no-store',
}

/**
 * Whether browsers trust the origin of a page (Secure Contexts). Elsewhere they ignore the opener
 * policy and log a warning on every page.
 */
export const isTrustworthy = (ctx: Context): boolean =>
  remoteOf(ctx).protocol === 'https' ||
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(ctx.get('host'))
