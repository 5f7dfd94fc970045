import { bytesOfAddress } from '../../core/ip-address'

/** What providers give to one customer, and what they give to one site, in bits of an IPv6 address (RFC 6177). */
type Prefix = 64 | 48

/** An IPv4 address as IPv6 sockets write it, in its own notation; others as they are. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Whom a limit counts that goes by address. One device has as many IPv6 addresses as it likes within its /64, so that is
 * what counts; an IPv4 address counts alone, also where it is written as IPv6.
 */
export function networkOf(address: string, prefix: Prefix = 64): string {
  const bytes = bytesOfAddress(address)
  if (!bytes) return address
  return bytes.length === 4 ? bytes.join('.') : `${bytes.toString('hex', 0, prefix / 8)}/${prefix}`
}
