import { isIP } from 'node:net'
import { bytesOfAddress, covers } from './ip-address'

/** Networks of homes and companies (RFC 1918, RFC 4193). */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
/**
 * Between a provider and its customers: carrier-grade NAT (RFC 6598) and DS-Lite (RFC 6333 §5.7).
 */
const SHARED = ['100.64.0.0/10', '192.0.0.0/24']
/** The other addresses that the internet does not route (RFC 6890 and its registries). */
const OTHER = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/127',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

/**
 * Why the internet cannot reach an address: private, shared by a provider among customers, or
 * otherwise special or invalid. Returns undefined for a public address.
 */
export function isSpecial(address: string): 'private' | 'shared' | 'other' | undefined {
  if (isIP(address) === 0) return 'other'
  if (covers(PRIVATE, address)) return 'private'
  if (covers(SHARED, address)) return 'shared'
  return covers(OTHER, address) ? 'other' : undefined
}

/** Well-known prefix of IPv4 addresses translated by NAT64 (RFC 6052). */
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
