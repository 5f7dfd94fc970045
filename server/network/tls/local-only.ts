import { BlockList } from 'node:net'
import { bytesOfAddress } from '../../core/ip-address'
import { plainTagged, sequence, tagged } from './der'

/**
 * What no router of the internet leads to, as network and bits: private addresses (RFC 1918, RFC 4193), those of one link,
 * of the machine itself, and of VPNs and providers (RFC 6598).
 */
const NETWORKS = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['127.0.0.0', 8],
  ['100.64.0.0', 10],
  ['fc00::', 7],
  ['fe80::', 10],
  ['::1', 128],
] as const

const ZONES = ['local', 'localhost']
/** A zone in which there is nothing (RFC 2606): what is permitted there only is permitted nowhere. */
const NOWHERE = 'invalid'

/** Tags of GeneralName (RFC 5280 §4.2.1.6). */
const [EMAIL, DNS, URI, IP] = [1, 2, 6, 7]

const list = new BlockList()
for (const [network, bits] of NETWORKS) list.addSubnet(network, bits, network.includes(':') ? 'ipv6' : 'ipv4')

/**
 * The name constraints (RFC 5280 §4.2.1.10) of an authority that is good for `*.local`, `localhost`, local addresses and the
 * host's own `addresses`, and for no other host, no person and no resource. (Names of directories stay free: Go refuses any
 * certificate that constrains them.)
 */
export function localOnly(addresses: readonly string[]): Buffer {
  const permitted = [
    ...ZONES.map((zone) => plainTagged(DNS, Buffer.from(zone))),
    ...NETWORKS.map(([network, bits]) => rangeOf(network, bits)),
    ...addresses.filter((address) => !isLocal(address)).map((address) => rangeOf(address)),
    ...[EMAIL, URI].map((kind) => plainTagged(kind, Buffer.from(NOWHERE))),
  ]
  return sequence(tagged(0, ...permitted.map((name) => sequence(name))))
}

/** Whether an authority with such constraints is good for an IP address. `authority` is its certificate as DER. */
export const isPermitted = (authority: Buffer, address: string): boolean =>
  isLocal(address) || authority.includes(sequence(rangeOf(address)))

function isLocal(address: string): boolean {
  const plain = address.replace(/%.*/, '')
  return list.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4')
}

/** The address and the mask of a network; of the address alone where no bits are given. */
function rangeOf(network: string, bits = 128): Buffer {
  const address = bytesOfAddress(network) ?? Buffer.alloc(0)
  const mask = address.map((_, index) => 0xff & ~(0xff >> Math.min(8, Math.max(0, bits - 8 * index))))
  return plainTagged(IP, Buffer.concat([address, mask]))
}
