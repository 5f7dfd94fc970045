import type { Context } from 'koa'
import type { Share } from '../contract/host/host'
import { isLoopback } from '../core/net/ip-address'
import { originAsked, remoteOf } from '../http/pipeline/remote'

interface Deps {
  /** Null: not set. */
  publicUrl: () => string | null
  /** Returns null if there is none. */
  publicOrigin: () => string | null
  addresses: { best(): string | undefined }
}

/**
 * Returns the base URL of links to copy: from outside the public origin; otherwise the public URL,
 * else the one that the caller used, else the best address of this machine. Prefers any address
 * over localhost.
 */
export function shareUrl({ publicUrl, publicOrigin, addresses }: Deps, ctx: Context): Share {
  if (remoteOf(ctx).isOutside) return { url: publicOrigin() ?? originAsked(ctx), reachable: true }
  const outside = publicUrl()
  if (outside !== null) return { url: outside.replace(/\/+$/, ''), reachable: true }
  const requestUrl = new URL(originAsked(ctx))
  if (!isLoopback(requestUrl.hostname)) return { url: requestUrl.origin, reachable: true }
  const best = addresses.best()
  return best === undefined
    ? { url: requestUrl.origin, reachable: false }
    : { url: best, reachable: true }
}
