import { bytesOfAddress } from '../../core/ip-address'

/** Bits of an IPv6 prefix: one customer (64) or one site (48) (RFC 6177). */
type Prefix = 64 | 48

/** Returns an IPv4-mapped IPv6 address as IPv4; others unchanged. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Returns the network that limits count: the /64 of an IPv6 address, because one device can use all of it, or the IPv4
 * address.
 */
export function networkOf(address: string, prefix: Prefix = 64): string {
  const bytes = bytesOfAddress(address)
  if (!bytes) return address
  return bytes.length === 4 ? bytes.join('.') : `${bytes.toString('hex', 0, prefix / 8)}/${prefix}`
}
