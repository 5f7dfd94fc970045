import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { lanAddress } from '../../support/machines/lan-address'

const ipv4 = (address: string, internal = false): NetworkInterfaceInfo => ({
  ...{
    address,
    internal,
    family: 'IPv4',
    netmask: '255.255.255.0',
    mac: '00:00:00:00:00:01',
    cidr: `${address}/24`,
  },
})
const ipv6 = (address: string): NetworkInterfaceInfo => ({
  ...{
    address,
    internal: false,
    family: 'IPv6',
    netmask: 'ffff::',
    mac: '00:00:00:00:00:01',
    scopeid: 0,
    cidr: null,
  },
})

test.each([
  ['the only one', { eth0: [ipv4('192.168.1.7')] }, '192.168.1.7'],
  ['not loopback', { lo: [ipv4('127.0.0.1', true)], eth0: [ipv4('10.0.0.7')] }, '10.0.0.7'],
  ['not IPv6', { eth0: [ipv6('fe80::1'), ipv4('10.0.0.7')] }, '10.0.0.7'],
  [
    'not one that nobody gave out',
    { eth0: [ipv4('169.254.3.4')], wlan0: [ipv4('192.168.1.7')] },
    '192.168.1.7',
  ],
  [
    'not that of containers',
    { docker0: [ipv4('172.17.0.1')], eth0: [ipv4('192.168.1.7')] },
    '192.168.1.7',
  ],
  [
    'not that of a tunnel',
    { tun0: [ipv4('10.8.0.2')], wlan0: [ipv4('192.168.1.7')] },
    '192.168.1.7',
  ],
  [
    'not that of Hyper-V',
    { 'vEthernet (WSL)': [ipv4('172.20.0.1')], Ethernet: [ipv4('192.168.1.7')] },
    '192.168.1.7',
  ],
  ['a virtual one not even where there is no other', { docker0: [ipv4('172.17.0.1')] }, undefined],
  ['none', { lo: [ipv4('127.0.0.1', true)] }, undefined],
  ['none at all', {}, undefined],
])('%s', (_case, interfaces, address) => expect(lanAddress(interfaces)).toBe(address))

test('by itself it asks the machine', () => expect(() => lanAddress()).not.toThrow())
