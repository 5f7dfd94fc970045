import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'

/** Tunnels: reachable only within the same private network. */
const VPN = /^(tun|tap|wg|utun|ppp|ipsec|zt|tailscale|nordlynx|wireguard|openvpn|zerotier)|vpn/i
/** Containers, virtual machines and device radios: not reachable from the network. */
const VIRTUAL = new RegExp(
  '^(docker|br-|veth|virbr|lxc|lxd|podman|cni|flannel|vbox|virtualbox|vmnet|vmware|vEthernet|' +
    'hyper-v|bridge1\\d\\d|awdl|llw|anpi)',
  'i',
)
const WIFI = /^(wl|wifi|wi-fi|wlan|airport)/i

type Kind = 'wifi' | 'network' | 'vpn' | 'virtual' | 'link_local' | 'loopback'

/** An address of this computer and its kind of network. */
export interface OwnAddress {
  address: string
  kind: Kind
  /** Whether it may be put into links. */
  isOffered: boolean
  /** Its network if that is within this computer, such as `172.17.0.0/16` of containers. */
  inside?: string
}

/** Best first; the last four kinds are never put into a link. */
const order: readonly Kind[] = ['wifi', 'network', 'vpn', 'virtual', 'link_local', 'loopback']

/**
 * The addresses of this computer, best first: the source address of the default route (`source`),
 * then other networks, then addresses that are not offered. Omits IPv6 link-local ones, whose zone
 * a link cannot carry.
 */
export function ownAddresses(
  source: string | undefined,
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): OwnAddress[] {
  const all = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ address }) => !/^fe80:/i.test(address))
      .map(({ address, internal, cidr }) => {
        const kind = classifyAddress(name, address, internal, address === source)
        const isOffered = kind === 'wifi' || kind === 'network'
        const inside = kind === 'virtual' && cidr !== null ? { inside: cidr } : {}
        return { address, kind, isOffered, ...inside }
      }),
  )

  const rank = (it: OwnAddress) =>
    it.isOffered ? (it.address === source ? -1 : 0) : order.indexOf(it.kind)
  return all.sort((a, b) => rank(a) - rank(b) || familyOf(a) - familyOf(b))
}

function classifyAddress(
  name: string,
  address: string,
  internal: boolean,
  isSource: boolean,
): Kind {
  if (internal) return 'loopback'
  if (address.startsWith('169.254.')) return 'link_local'
  if (VPN.test(name)) return 'vpn'

  // Hyper-V and bridges route the real network through a virtual interface.
  if (VIRTUAL.test(name) && !isSource) return 'virtual'
  return WIFI.test(name) ? 'wifi' : 'network'
}

const familyOf = ({ address }: OwnAddress) => (address.includes(':') ? 6 : 4)
