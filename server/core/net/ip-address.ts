import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Bits of an IPv6 prefix: one customer (64) or one site (48) (RFC 6177). */
type Prefix = 64 | 48

/**
 * Not routed on the internet: private (RFC 1918, RFC 4193), link-local, loopback, VPNs (RFC 6598).
 */
export const LOCAL_NETWORKS = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '127.0.0.0/8',
  '100.64.0.0/10',
  'fc00::/7',
  'fe80::/10',
  '::1/128',
]

/**
 * An address in network byte order, without zone: 4 bytes for (mapped) IPv4, else 16. Undefined if
 * invalid.
 */
export function bytesOfAddress(address: string): Buffer | undefined {
  const plain = address.replace(/%.*/, '')
  if (isIP(plain) === 0) return undefined

  // ipaddr.js takes ::1.2.3.4, an IPv4-compatible address, for a mapped one.
  const { hostname } = new URL(`http://${isIPv6(plain) ? `[${plain}]` : plain}`)
  return Buffer.from(ipaddr.process(hostname.replace(/[[\]]/g, '')).toByteArray())
}

/** Whether a name or address, in brackets or not, is loopback. */
export const isLoopback = (name: string): boolean =>
  /^(localhost|\[?::1\]?|127(\.\d{1,3}){3})$/.test(name)

/** Returns an IPv4-mapped IPv6 address as IPv4; others unchanged. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Returns the network that limits count: the /64 of an IPv6 address, because one device can use all
 * of it, or the IPv4 address.
 */
export function toNetwork(address: string, prefix: Prefix = 64): string {
  if (isIPv4(address)) return address
  const bytes = bytesOfAddress(address)
  if (!bytes) return address
  return bytes.length === 4 ? bytes.join('.') : `${bytes.toString('hex', 0, prefix / 8)}/${prefix}`
}

/**
 * Returns a test whether an address, with or without zone, is in one of these networks or equals
 * one of these addresses, such as `10.0.0.0/8` and `10.0.0.1`. False for invalid addresses.
 */
export function matchNetworks(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => false
  const list = new BlockList()
  for (const network of networks) {
    const [start = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(start, familyOf(start))
    else list.addSubnet(start, Number(bits), familyOf(start))
  }
  return (address) =>
    isIP(address) !== 0 && list.check(address.replace(/%.*/, ''), familyOf(address))
}

/** Whether an address is in one of these networks. For a fixed list, `matchNetworks` is faster. */
export const covers = (networks: readonly string[], address: string): boolean =>
  matchNetworks(networks)(address)

const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4')

/** Whether an address is not routed on the internet. False for invalid addresses. */
export const isLocal = matchNetworks(LOCAL_NETWORKS)
