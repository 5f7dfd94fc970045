import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'

/** Interfaces of containers, virtual machines and tunnels: their addresses reach nobody on the network. */
const VIRTUAL = /^(docker|br-|veth|virbr|vbox|vmnet|vEthernet|tun|tap|wg|utun|zt)/i

/** The IPv4 address by which other machines on the network most likely reach this one; undefined: none. */
export function lanAddress(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces()): string | undefined {
  const usable = Object.entries(interfaces).flatMap(([name, addresses]) =>
    (addresses ?? [])
      .filter((it) => it.family === 'IPv4' && !it.internal && !it.address.startsWith('169.254.'))
      .map((it) => ({ address: it.address, virtual: VIRTUAL.test(name) })),
  )
  return (usable.find((it) => !it.virtual) ?? usable[0])?.address
}
