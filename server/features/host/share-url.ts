import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { isLoopback } from '../../core/ip-address'
import { originAsked } from '../../http/pipeline/remote'

/** Where people are told to go, without a final slash. */
export interface Share {
  url: string
  /** Whether other machines can reach it. */
  reachable: boolean
}

/**
 * The address for links that people copy: the public URL, else the address by which the caller came, else, for a caller
 * at this machine, the best address of the machine. A link never says localhost while a better address exists.
 */
export function shareUrl({ network: { publicUrl, addresses } }: Rooms<'network'>, ctx: Context): Share {
  const outside = publicUrl()
  if (outside !== null) return { url: outside.replace(/\/+$/, ''), reachable: true }
  const asked = new URL(originAsked(ctx))
  if (!isLoopback(asked.hostname)) return { url: asked.origin, reachable: true }
  const best = addresses.best()
  return best === undefined ? { url: asked.origin, reachable: false } : { url: best, reachable: true }
}
