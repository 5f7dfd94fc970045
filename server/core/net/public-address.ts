import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { bytesOfAddress, matchNetworks } from './ip-address'

/** DS-Lite (RFC 6333 §5.7), which ipaddr.js counts as reserved. */
const isDsLite = matchNetworks(['192.0.0.0/24'])

/**
 * Why the internet does not reach an address, by IANA's registries of special addresses: it is
 * private, shared by a provider among customers, or otherwise special or invalid. Returns undefined
 * if it is public.
 */
export function isSpecial(address: string): 'private' | 'shared' | 'other' | undefined {
  if (isIP(address) === 0) return 'other'

  const range = ipaddr.parse(address).range()
  if (range === 'unicast') return undefined
  if (range === 'private' || range === 'uniqueLocal') return 'private'
  return range === 'carrierGradeNat' || isDsLite(address) ? 'shared' : 'other'
}

/** Well-known prefix of IPv4 addresses behind NAT64 (RFC 6052). */
const NAT64 = Buffer.from('0064ff9b0000000000000000', 'hex')
/** IPv4-compatible addresses (RFC 4291 §2.5.5.1), which some systems still connect to. */
const COMPATIBLE = Buffer.alloc(12)

/**
 * Whether an address is public in any notation, with or without zone. The IPv4 address inside a
 * mapped or NAT64 address must be public too. False for invalid addresses.
 */
export function isOnInternet(address: string): boolean {
  const bytes = bytesOfAddress(address)
  if (!bytes) return false
  if (bytes.length === 4) return isSpecial(bytes.join('.')) === undefined

  const prefix = bytes.subarray(0, 12)
  if (prefix.equals(COMPATIBLE)) return false
  if (prefix.equals(NAT64)) return isSpecial(bytes.subarray(12).join('.')) === undefined
  return isSpecial(address.replace(/%.*/, '')) === undefined
}
