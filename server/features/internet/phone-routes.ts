import type { Middleware } from 'koa'
import type { Rooms } from '../../compose/context'
import { renderDocument } from '../../http/pages/html'
import { remoteOf, type Remote } from '../../http/pipeline/remote'

type Outcome = 'outside' | 'inside' | 'device' | 'here' | 'ended'

/**
 * Serves the page that a phone opens to prove that people outside, or devices in the network, reach
 * this host. Only such a visit uses up the link. Works without scripts and over plain HTTP, because
 * there may be no certificate yet.
 */
export function reachPage({ network: { internet, visits } }: Rooms<'network'>): Middleware {
  const use = (token: string, remote: Remote): Outcome => {
    const outcome = visits.usePhoneTest(token, remote)
    return outcome === 'ended' ? internet.usePhoneTest(token, remote) : outcome
  }

  return async (ctx) => {
    ctx.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex, nofollow',
    })
    ctx.type = 'text/html; charset=utf-8'

    // Programs that only check whether a link works must not use it up.
    const outcome =
      ctx.method === 'GET' ? use(ctx.path.slice('/reach/'.length), remoteOf(ctx)) : 'inside'
    ctx.status = outcome === 'ended' ? 410 : 200

    const { PlainPage } = await import('../../../renderer/visitor/plain/plain-page')
    ctx.body = await renderDocument(PlainPage, texts[outcome])
  }
}

const texts: Record<Outcome, { title: string; text: string }> = {
  outside: {
    title: 'It works',
    text:
      'Your device came from outside the network, so links to this host work everywhere. ' +
      'You can close this page.',
  },
  inside: {
    title: 'You are still on Wi-Fi',
    text:
      'Your device came from the network of the host. ' +
      'Turn off Wi-Fi, then open the link again.',
  },
  device: {
    title: 'This device reaches the host',
    text:
      'No firewall blocks it, so links to this host work in this network. ' +
      'You can close this page.',
  },
  here: {
    title: 'This is the computer of the host',
    text: 'Open the link on another device in the same network, such as a phone on Wi-Fi.',
  },
  ended: {
    title: 'This link no longer works',
    text: 'It works once, for 10 minutes. Create a new one on the Host page.',
  },
}
