import type { X509Certificate } from 'node:crypto'
import type { Middleware } from 'koa'
import type { Rooms } from '../../compose/context'
import { originAsked, remoteOf } from '../../http/pipeline/remote'
import { TRUST_STEPS } from './trust-steps'

/**
 * Serves `/trust` (how a device trusts this host) and `/ca.crt`, also by plain HTTP and without scripts: a device that
 * does not trust the host yet could not load them otherwise. Not from outside, where the certificate is public.
 */
export function trustPage({ network: { https } }: Rooms<'network'>): Middleware {
  return (ctx, next) => {
    const { authority } = https
    if (remoteOf(ctx).isOutside || !authority) return next()
    ctx.set('Cache-Control', 'no-cache')
    if (ctx.path === '/ca.crt') {
      ctx.type = 'application/x-x509-ca-cert'
      ctx.body = authority.toString()
    } else {
      ctx.type = 'text/html; charset=utf-8'
      ctx.body = pageOf(authority, originAsked(ctx).replace(/^http:/, 'https:'))
    }
    return undefined
  }
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
body { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
a { color: light-dark(#0b6d66, #7accc3) }
.button { display: inline-block; padding: .55rem 1rem; border-radius: .5rem; background: #0b6d66; color: #fff; text-decoration: none }
code { overflow-wrap: anywhere }
summary { padding: .6rem 0; cursor: pointer; font-weight: 600 }
details { border-top: 1px solid light-dark(#ddd, #444) }`

function pageOf(authority: X509Certificate, secureUrl: string): string {
  const systems = TRUST_STEPS.map(
    ({ system, steps }) =>
      `<details><summary>${system}</summary><ol>${steps.map((step) => `<li>${step}</li>`).join('')}</ol></details>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="/favicon.svg">
<title>Trust this host · Slipway</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Trust this host</h1>
<p>This Slipway host encrypts its connections with its own certificate. Your device shows a warning until it trusts the
authority of this host. Do this once, and only if you know who runs this host.</p>
<p><a class="button" href="/ca.crt">Download the certificate</a></p>
<p>Its SHA-256 fingerprint, which the person at the host can read to you:<br><code>${authority.fingerprint256}</code></p>
<p>It can only vouch for HTTPS at <code>.local</code> names, local IP addresses such as <code>192.168.1.20</code>, and the
addresses that this host had when it was made: it cannot impersonate another website, an e-mail address or a
program. It is valid from ${dayOf(authority)}. A device
that trusted an earlier certificate of this host has to trust this one.</p>
<h2>How to trust it</h2>
${systems.join('\n')}
<p><a href="${escaped(secureUrl)}/">Continue to ${escaped(secureUrl)}</a></p>
</main>
</body>
</html>
`
}

const dayOf = ({ validFrom }: X509Certificate) => new Date(validFrom).toISOString().slice(0, 10)

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
