import type { Context } from 'koa'
import type { AppContext } from '../../context'
import { lanAddress } from './own-address'

/** Where people are told to go, without a final slash. */
export interface Share {
  url: string
  /** Whether other machines can reach it. */
  reachable: boolean
}

/**
 * The address for links that people copy: the public URL, else the address by which the caller came, else, for a caller
 * at this machine, the machine's address on the network. A link never says localhost while a better address exists.
 */
export function shareUrl({ publicUrl, bound }: Pick<AppContext, 'publicUrl' | 'bound'>, ctx: Context): Share {
  const outside = publicUrl()
  if (outside !== null) return { url: outside.replace(/\/+$/, ''), reachable: true }
  const asked = new URL(`${ctx.protocol}://${ctx.get('host')}`)
  if (!isLoopbackName(asked.hostname)) return { url: asked.origin, reachable: true }
  const { host, port } = bound()
  if (isLoopbackName(host)) return { url: asked.origin, reachable: false }
  const address = isAny(host) ? lanAddress() : host
  if (address === undefined) return { url: asked.origin, reachable: false }
  return { url: `http://${address.includes(':') ? `[${address}]` : address}:${port}`, reachable: true }
}

const isAny = (host: string) => host === '0.0.0.0' || host === '::'
const isLoopbackName = (name: string) =>
  name === 'localhost' || name === '[::1]' || name === '::1' || name.startsWith('127.')
