import type { HostAddress } from '../../../server/contract'

/** Text of where an address of this host is reachable. */
export const audiences: Record<HostAddress['kind'], string> = {
  public: 'Everyone who can open this address',
  wifi: 'Phones and computers on this Wi-Fi',
  network: 'Phones and computers on this network',
  name: 'Same address by name (works on Apple devices and most others)',
  vpn: 'Devices in the same private network (VPN)',
  virtual: 'Virtual machines and containers on this computer',
  link_local: 'A device connected to this computer by cable',
  loopback: 'This computer only',
}
