import type { Context } from 'koa'
import { isIP } from 'node:net'
import { AppError } from '../../core/errors'
import { originAsked, remoteOf } from '../../http/pipeline/remote'

/** Where passkeys of this host work (WebAuthn §5.1.2). */
export interface RelyingParty {
  /** The name, which each passkey is bound to. */
  id: string
  origin: string
}

interface Deps {
  publicUrl: () => string | null
  publicOrigin: () => string | null
}

/**
 * Returns where passkeys work: the addresses that the host is configured with, if they are names
 * over HTTPS. A Host header never makes one.
 */
export const relyingParties = ({ publicOrigin, publicUrl }: Deps): RelyingParty[] =>
  [publicUrl(), publicOrigin()].flatMap((url) => (url === null ? [] : toRelyingParty(url)))

/** Returns the one of a request; undefined: it came by another address of this host. */
function findRelyingParty(deps: Deps, ctx: Context): RelyingParty | undefined {
  const asked = originAsked(ctx)
  // A proxy that ends TLS may be one that is not trusted.
  const isAsked = ({ origin }: RelyingParty) =>
    origin === asked || new URL(origin).host === remoteOf(ctx).host
  return relyingParties(deps).find(isAsked)
}

/** The same. Throws `not_found` where passkeys do not work. */
export function requireRelyingParty(deps: Deps, ctx: Context): RelyingParty {
  const party = findRelyingParty(deps, ctx)
  if (party) return party
  throw new AppError('not_found', 'Passkeys do not work at this address of the host')
}

function toRelyingParty(url: string): RelyingParty[] {
  const { hostname, origin, protocol } = new URL(url)
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  const isLocal = hostname === 'localhost'
  return isName && (protocol === 'https:' || isLocal) ? [{ id: hostname, origin }] : []
}
