import type { NetworkInterfaceInfo } from 'node:os'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bsdRoutes,
  linuxRoutes,
  linuxRoutes6,
  windowsRoutes,
  windowsRoutes6,
} from '../../../../server/libraries/port-mapping/default-routes'
import { findGateway, gatewayIn6 } from '../../../../server/libraries/port-mapping/gateway'

function ipv4(cidr: string): NetworkInterfaceInfo {
  const address = cidr.split('/')[0] ?? ''
  return { address, cidr, netmask: '', family: 'IPv4', mac: '', internal: false }
}

function ipv6(cidr: string, scopeid = 0): NetworkInterfaceInfo {
  const address = cidr.split('/')[0] ?? ''
  return { address, cidr, netmask: '', family: 'IPv6', mac: '', internal: false, scopeid }
}

const row = (...fields: string[]) => `${fields.join('\t')}\n`
const LINUX_HEADER = row(
  'Iface',
  'Destination',
  'Gateway ',
  'Flags',
  'RefCnt',
  'Use',
  'Metric',
  'Mask',
  'MTU',
  'Window',
  'IRTT',
)
const LINUX_LAN = row('wlp3s0', '00000000', '0101A8C0', '0003', '0', '0', '600', '00000000', '0', '0', '0')
const LINUX_NEAR = row('wlp3s0', '0001A8C0', '00000000', '0001', '0', '0', '600', '00FFFFFF', '0', '0', '0')
/** OpenVPN covers the default route by two halves, WireGuard by one without gateway. */
const LINUX_HALF = row('tun0', '00000000', '0100080A', '0003', '0', '0', '0', '00000080', '0', '0', '0')
const LINUX_WIREGUARD = row('wg0', '00000000', '00000000', '0001', '0', '0', '0', '00000000', '0', '0', '0')
const LINUX_VPN = row('tun0', '00000000', '0100080A', '0003', '0', '0', '50', '00000000', '0', '0', '0')
const LINUX_CABLE = row('enp2s0', '00000000', '0102A8C0', '0003', '0', '0', '100', '00000000', '0', '0', '0')

const home = { wlp3s0: [ipv4('192.168.1.20/24')] }

describe('Linux', () => {
  test('reads the default route', () => {
    const routes = linuxRoutes(LINUX_HEADER + LINUX_LAN + LINUX_NEAR)

    expect(routes).toEqual([{ gateway: '192.168.1.1', device: 'wlp3s0', metric: 600 }])
    expect(findGateway(routes, home)).toEqual({ gateway: '192.168.1.1', own: '192.168.1.20' })
  })

  test('asks the router at home where a VPN has the default route', () => {
    const routes = linuxRoutes(LINUX_HEADER + LINUX_HALF + LINUX_WIREGUARD + LINUX_VPN + LINUX_LAN)
    const interfaces = { tun0: [ipv4('10.8.0.6/24')], ...home }

    expect(routes.map(({ gateway }) => gateway)).toEqual(['10.8.0.1', '192.168.1.1'])
    expect(findGateway(routes, interfaces)).toEqual({ gateway: '192.168.1.1', own: '192.168.1.20' })
  })

  test('prefers the route with the smaller metric of two routers', () => {
    const routes = linuxRoutes(LINUX_HEADER + LINUX_LAN + LINUX_CABLE)
    const interfaces = { ...home, enp2s0: [ipv4('192.168.2.30/24')] }

    expect(findGateway(routes, interfaces)).toEqual({ gateway: '192.168.2.1', own: '192.168.2.30' })
  })

  test('takes the address in the network of the gateway', () => {
    const interfaces = { wlp3s0: [ipv4('10.0.0.5/24'), ipv4('192.168.1.20/24')] }

    expect(findGateway(linuxRoutes(LINUX_LAN), interfaces)?.own).toBe('192.168.1.20')
  })

  test('finds no router without a network', () => {
    expect(findGateway(linuxRoutes(LINUX_HEADER), {})).toBeUndefined()
    expect(findGateway(linuxRoutes(LINUX_LAN), {})).toBeUndefined()
  })

  test('reads the default route of IPv6', () => {
    const zeros = '0'.repeat(32)
    const routes = linuxRoutes6(
      [
        `20010db8000000000000000000000000 40 ${zeros} 00 ${zeros} 00000100 00000001 00000000 00000001 wlp3s0`,
        `${zeros} 00 ${zeros} 00 fe80000000000000021122fffe334455 00000258 00000003 00000000 00450003 wlp3s0`,
        `${zeros} 00 ${zeros} 00 ${zeros} ffffffff 00000001 00000000 00200200       lo`,
      ].join('\n'),
    )
    const interfaces = { wlp3s0: [ipv6('fe80::5/64', 3), ipv6('fd00::5/64'), ipv6('2a0f:77:1::20/64')] }

    expect(routes).toEqual([{ gateway: 'fe80::211:22ff:fe33:4455', device: 'wlp3s0', metric: 600 }])
    expect(gatewayIn6(routes, interfaces)).toEqual({
      gateway: 'fe80::211:22ff:fe33:4455%wlp3s0',
      own: '2a0f:77:1::20',
    })
    expect(gatewayIn6(routes, home)).toBeUndefined()
  })
})

describe('macOS', () => {
  const table = (lines: string) => `Routing tables

Internet:
Destination        Gateway            Flags               Netif Expire
${lines}
127                127.0.0.1          UCS                   lo0
192.168.1          link#11            UCS                   en0      !
`

  test('reads the default route', () => {
    const routes = bsdRoutes(table('default            192.168.1.1        UGScg                 en0'))

    expect(findGateway(routes, { en0: [ipv4('192.168.1.20/24')] })).toEqual({
      gateway: '192.168.1.1',
      own: '192.168.1.20',
    })
  })

  test('leaves the route of a VPN out', () => {
    const routes = bsdRoutes(
      table(
        'default            link#18            UCSg                utun4\ndefault            192.168.1.1        UGScIg                en0',
      ),
    )

    expect(routes).toEqual([{ gateway: '192.168.1.1', device: 'en0', metric: 0 }])
  })

  test('prefers the router at home to the gateway of a VPN', () => {
    const routes = bsdRoutes(
      table(
        'default            10.10.10.1         UGSc                utun0\ndefault            192.168.1.1        UGScIg                en0',
      ),
    )
    const interfaces = { utun0: [ipv4('10.10.10.7/24')], en0: [ipv4('192.168.1.20/24')] }

    expect(findGateway(routes, interfaces)?.gateway).toBe('192.168.1.1')
  })

  test('reads the columns of older versions', () => {
    const routes = bsdRoutes('default            192.168.0.1        UGSc           84        0     en0\n')

    expect(routes).toEqual([{ gateway: '192.168.0.1', device: 'en0', metric: 0 }])
  })

  test('reads the default route of IPv6', () => {
    const routes = bsdRoutes('default                 fe80::1%en0                     UGcg                  en0\n')

    expect(gatewayIn6(routes, { en0: [ipv6('2a0f:77:1::20/64')] })).toEqual({
      gateway: 'fe80::1%en0',
      own: '2a0f:77:1::20',
    })
  })
})

describe('Windows', () => {
  const RULE = '='.repeat(75)
  const table = (...lines: string[]) =>
    [
      RULE,
      'Active Routes:',
      'Network Destination        Netmask          Gateway       Interface  Metric',
      ...lines,
      RULE,
    ]
      .concat('Persistent Routes:', '  Network Address          Netmask  Gateway Address  Metric')
      .concat('          0.0.0.0          0.0.0.0      192.168.9.1  Default ', RULE)
      .join('\r\n')

  test('reads the default route, and no persistent one', () => {
    const routes = windowsRoutes(
      table(
        '          0.0.0.0          0.0.0.0      192.168.1.1     192.168.1.50     25',
        '        127.0.0.0        255.0.0.0         On-link         127.0.0.1    331',
      ),
    )

    expect(routes).toEqual([{ gateway: '192.168.1.1', own: '192.168.1.50', metric: 25 }])
  })

  test('leaves the route of a VPN out, in any language', () => {
    const routes = windowsRoutes(
      table(
        '          0.0.0.0          0.0.0.0   Auf Verbindung         10.8.0.6      5',
        '          0.0.0.0          0.0.0.0      192.168.1.1     192.168.1.50   4250',
      ),
    )

    expect(findGateway(routes, { 'Wi-Fi': [ipv4('192.168.1.50/24')] })?.gateway).toBe('192.168.1.1')
  })

  test('prefers the smaller metric of two routers', () => {
    const routes = windowsRoutes(
      table(
        '          0.0.0.0          0.0.0.0      192.168.1.1     192.168.1.50     45',
        '          0.0.0.0          0.0.0.0     192.168.71.1    192.168.71.28     10',
      ),
    )
    const interfaces = { 'Wi-Fi': [ipv4('192.168.1.50/24')], Ethernet: [ipv4('192.168.71.28/24')] }

    expect(findGateway(routes, interfaces)).toEqual({ gateway: '192.168.71.1', own: '192.168.71.28' })
  })

  test('reads the default route of IPv6, also over two lines', () => {
    const table6 =
      ' If Metric Network Destination      Gateway\r\n 12    271 ::/0\r\n                                    fe80::1\r\n  1    331 ::1/128                  On-link\r\n'
    const routes = windowsRoutes6(table6)
    const interfaces = {
      Loopback: [ipv6('::1/128', 0)],
      'Wi-Fi': [ipv6('2a0f:77:1::20/64'), ipv6('fe80::9/64', 12)],
    }

    expect(routes).toEqual([{ gateway: 'fe80::1', zone: '12', metric: 271 }])
    expect(gatewayIn6(routes, interfaces)).toEqual({ gateway: 'fe80::1%12', own: '2a0f:77:1::20' })
  })
})

test('no output makes a parser throw', () => {
  const word = fc.constantFrom(
    'default',
    '0.0.0.0',
    '::/0',
    '00000000',
    '0003',
    'en0',
    '12',
    '\n',
    '\t',
    'fe80::1',
    'G',
  )
  const output = fc.oneof(
    fc.string(),
    fc.array(word).map((words) => words.join(' ')),
  )
  fc.assert(
    fc.property(output, (text) => {
      for (const parse of [bsdRoutes, linuxRoutes, linuxRoutes6, windowsRoutes, windowsRoutes6]) {
        expect(() => findGateway(parse(text), home)).not.toThrow()
      }
    }),
  )
})
