import { createHash } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import { remoteOf } from './remote'

/** Allows a page our own scripts, and these that stand in it (CSP Level 3 §8.4, hashes). */
export const pagePolicy = (inlineScripts: readonly string[] = []): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...inlineScripts.map(hashSource)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ')

const hashSource = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

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
  // The address of a tester link is a secret.
  if (/^\/(v2\/)?t\//.test(ctx.path)) ctx.set(SECRET_ADDRESS)
  if (isTrustworthy(ctx)) ctx.res.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  return next()
}

const SECRET_ADDRESS = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cache-Control': 'no-store',
}

/** Elsewhere browsers ignore the opener policy and log a warning on every page. */
const isTrustworthy = (ctx: Context) =>
  remoteOf(ctx).protocol === 'https' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(ctx.get('host'))
