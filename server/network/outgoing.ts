import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { matchNetworks } from '../core/net/ip-address'
import { isOnInternet } from '../core/net/public-address'
import { shortReply } from '../core/net/short-reply'
import { ownLookup } from './own-lookup'

/** Whether this host may connect to an address that an account named. */
export type MayReach = (address: string) => boolean

/** The address is on a network that people may not let this host call. */
export class NotReachable extends Error {}

/** Allows the internet without the networks of this computer, and what the host account named. */
export const reachOf =
  (settings: { get(): { readonly webhook_networks: readonly string[] } }): MayReach =>
  (address) =>
    matchNetworks(settings.get().webhook_networks)(address) || isElsewhere(address)

/**
 * Requests a short text from an address that an account named, as `shortReply` does. `mayReach` is
 * asked for each connection. Throws `NotReachable` and the errors of the connection.
 */
export async function askOutside(
  url: URL,
  {
    mayReach,
    ...limits
  }: Omit<Parameters<typeof shortReply>[1], 'lookup'> & { mayReach: MayReach },
): ReturnType<typeof shortReply> {
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !mayReach(literal)) throw new NotReachable(url.hostname)
  return shortReply(url, { ...limits, lookup: pinLookup(mayReach) })
}

/**
 * Resolves a name once, and connects to one of the checked addresses, so that a second lookup
 * cannot return another one (DNS rebinding).
 */
const pinLookup =
  (mayReach: MayReach): LookupFunction =>
  (name, options, done) => {
    ownLookup(name, { ...options, all: true }, (error, results) => {
      if (error) return done(error, '')
      const addresses = (typeof results === 'string' ? [] : results).filter(({ address }) =>
        mayReach(address),
      )
      const [first] = addresses
      if (!first) return done(new NotReachable(name), '')
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family)
    })
  }

/** Whether an address is on the internet, and not on a network of this computer. */
function isElsewhere(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.flatMap(({ cidr }) => cidr ?? []),
  )
  return isOnInternet(address) && !matchNetworks(own)(address)
}
