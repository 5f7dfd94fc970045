import type { Context } from 'koa'
import { originAsked, remoteOf } from '../http/pipeline/remote'
import type { Addresses } from './addresses'
import type { Https } from './tls/https'

interface Deps {
  publicUrl: () => string | null
  publicOrigin: () => string | null
  https: Pick<Https, 'covers' | 'needsTrust'>
  addresses: Pick<Addresses, 'list'>
}

/** HTTPS origins for what works over HTTPS only, such as installing an iOS app. */
export interface SecureOrigins {
  /** The one that the client used; undefined: it used plain HTTP. */
  used?: string | undefined
  /** Another one of this host, the best for this client; undefined: it has none. */
  offered?: string | undefined
  /** Whether a device has to trust the authority of this host for it. */
  needsTrust: boolean
}

/**
 * Finds the HTTPS origins for a request. A proxy that ends TLS counts, also one that is not
 * trusted, by the public URL.
 */
export function secureOrigins(deps: Deps, ctx: Context): SecureOrigins {
  const { publicUrl, publicOrigin, https, addresses } = deps
  if (remoteOf(ctx).isOutside) return fromOutside(publicOrigin(), originAsked(ctx))

  const outside = new URL(publicUrl() ?? 'http://localhost')
  const isOutside = outside.protocol === 'https:'
  const requestUrl = new URL(originAsked(ctx))
  if (isOutside && (remoteOf(ctx).host === outside.host || requestUrl.origin === outside.origin))
    return { used: outside.origin, needsTrust: false }

  const name = nameOf(requestUrl)
  const needsTrust = https.needsTrust(name)
  if (requestUrl.protocol === 'https:') return { used: requestUrl.origin, needsTrust }

  if (isOutside) return { offered: outside.origin, needsTrust: false }
  if (https.covers(name))
    return { offered: requestUrl.origin.replace('http:', 'https:'), needsTrust }

  const offered = addresses.list().find(({ url }) => url.startsWith('https:'))?.url
  const isOurs = offered !== undefined && offered !== publicOrigin()
  return { offered, needsTrust: isOurs && https.needsTrust(nameOf(new URL(offered))) }
}

const nameOf = ({ hostname }: URL) => hostname.replace(/[[\]]/g, '')

/** The public origin, or none: addresses of the home network would not answer. */
function fromOutside(publicOrigin: string | null, requestOrigin: string): SecureOrigins {
  if (publicOrigin === null || !publicOrigin.startsWith('https:')) return { needsTrust: false }
  return requestOrigin.startsWith('https:')
    ? { used: publicOrigin, needsTrust: false }
    : { offered: publicOrigin, needsTrust: false }
}
