import type { NetworkInterfaceInfo } from 'node:os'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bsdRoutes,
  linuxRoutes,
  linuxRoutes6,
  windowsRoutes,
  windowsRoutes6,
} from '../../../../server/libraries/port-mapping/gateway'
import { findGateway, gatewayIn6 } from '../../../../server/libraries/port-mapping/gateway'

/** The network interface of each name, by its address. */
const having = (
  addresses: Record<string, string[]>,
  scopeid = 0,
): Record<string, NetworkInterfaceInfo[]> =>
  Object.fromEntries(
    Object.entries(addresses).map(([name, all]) => [
      name,
      all.map((cidr) => {
        const common = {
          address: cidr.split('/')[0] ?? '',
          cidr,
          netmask: '',
          mac: '',
          internal: false,
        }
        return cidr.includes(':')
          ? { ...common, family: 'IPv6', scopeid }
          : { ...common, family: 'IPv4' }
      }),
    ]),
  )

const HOME = { wlp3s0: ['192.168.1.20/24'] }
const AT_HOME = { gateway: '192.168.1.1', own: '192.168.1.20' }

describe('Linux', () => {
  const table = (...rows: string[]) =>
    ['Iface Destination Gateway  Flags RefCnt Use Metric Mask MTU Window IRTT', ...rows]
      .map((row) => `${row.replaceAll(' ', '\t')}\n`)
      .join('')
  const LAN = 'wlp3s0 00000000 0101A8C0 0003 0 0 600 00000000 0 0 0'
  const NEAR = 'wlp3s0 0001A8C0 00000000 0001 0 0 600 00FFFFFF 0 0 0'
  const CABLE = 'enp2s0 00000000 0102A8C0 0003 0 0 100 00000000 0 0 0'
  /** OpenVPN covers the default route by two halves, WireGuard by one without gateway. */
  const HALF = 'tun0 00000000 0100080A 0003 0 0 0 00000080 0 0 0'
  const WIREGUARD = 'wg0 00000000 00000000 0001 0 0 0 00000000 0 0 0'
  const VPN = 'tun0 00000000 0100080A 0003 0 0 50 00000000 0 0 0'

  test.each([
    ['reads the default route', [LAN, NEAR], HOME, AT_HOME],
    [
      'asks the router at home where a VPN has the default route',
      [HALF, WIREGUARD, VPN, LAN],
      { tun0: ['10.8.0.6/24'], ...HOME },
      AT_HOME,
    ],
    [
      'prefers the route with the smaller metric of two routers',
      [LAN, CABLE],
      { ...HOME, enp2s0: ['192.168.2.30/24'] },
      { gateway: '192.168.2.1', own: '192.168.2.30' },
    ],
    [
      'takes the address in the network of the gateway',
      [LAN],
      { wlp3s0: ['10.0.0.5/24', '192.168.1.20/24'] },
      AT_HOME,
    ],
    ['finds no router without a route', [], {}, undefined],
    ['finds no router without an address', [LAN], {}, undefined],
  ])('%s', (_title, rows, interfaces, expected) => {
    expect(findGateway(linuxRoutes(table(...rows)), having(interfaces))).toEqual(expected)
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
    const interfaces = having({ wlp3s0: ['fe80::5/64', 'fd00::5/64', '2a0f:77:1::20/64'] })

    expect(routes).toEqual([{ gateway: 'fe80::211:22ff:fe33:4455', device: 'wlp3s0', metric: 600 }])
    expect(gatewayIn6(routes, interfaces)).toEqual({
      gateway: 'fe80::211:22ff:fe33:4455%wlp3s0',
      own: '2a0f:77:1::20',
    })
    expect(gatewayIn6(routes, having(HOME))).toBeUndefined()
  })
})

describe('macOS', () => {
  const table = (...rows: string[]) => `Routing tables

Internet:
Destination        Gateway            Flags               Netif Expire
${rows.join('\n')}
127                127.0.0.1          UCS                   lo0
192.168.1          link#11            UCS                   en0      !
`
  const LAN = 'default            192.168.1.1        UGScIg                en0'
  const interfaces = having({ utun0: ['10.10.10.7/24'], en0: ['192.168.1.20/24'] })

  test.each([
    ['reads the default route', table(LAN)],
    [
      'leaves the route of a VPN out',
      table('default            link#18            UCSg                utun4', LAN),
    ],
    [
      'prefers the router at home to the gateway of a VPN',
      table('default            10.10.10.1         UGSc                utun0', LAN),
    ],
    [
      'reads the columns of older versions',
      'default            192.168.1.1        UGSc           84        0     en0\n',
    ],
  ])('%s', (_title, text) => {
    expect(findGateway(bsdRoutes(text), interfaces)).toEqual(AT_HOME)
  })

  test('reads the default route of IPv6', () => {
    const routes = bsdRoutes(
      'default                 fe80::1%en0                     UGcg                  en0\n',
    )

    expect(gatewayIn6(routes, having({ en0: ['2a0f:77:1::20/64'] }))).toEqual({
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
    ]
      .concat(
        lines,
        RULE,
        'Persistent Routes:',
        '  Network Address          Netmask  Gateway Address  Metric',
      )
      .concat('          0.0.0.0          0.0.0.0      192.168.9.1  Default ', RULE)
      .join('\r\n')
  const LAN = '          0.0.0.0          0.0.0.0      192.168.1.1     192.168.1.20     25'
  const interfaces = having({ 'Wi-Fi': ['192.168.1.20/24'], Ethernet: ['192.168.71.28/24'] })

  test.each([
    [
      'reads the default route, and no persistent one',
      ['        127.0.0.0        255.0.0.0         On-link         127.0.0.1    331'],
    ],
    [
      'leaves the route of a VPN out, in any language',
      ['          0.0.0.0          0.0.0.0   Auf Verbindung         10.8.0.6      5'],
    ],
    [
      'prefers the smaller metric of two routers',
      ['          0.0.0.0          0.0.0.0     192.168.71.1    192.168.71.28     45'],
    ],
  ])('%s', (_title, others) => {
    expect(findGateway(windowsRoutes(table(...others, LAN)), interfaces)).toEqual(AT_HOME)
  })

  test('reads the default route of IPv6, also over two lines', () => {
    const table6 =
      ' If Metric Network Destination      Gateway\r\n 12    271 ::/0\r\n                                    fe80::1\r\n  1    331 ::1/128                  On-link\r\n'
    const routes = windowsRoutes6(table6)
    const all = {
      ...having({ Loopback: ['::1/128'] }),
      ...having({ 'Wi-Fi': ['2a0f:77:1::20/64', 'fe80::9/64'] }, 12),
    }

    expect(routes).toEqual([{ gateway: 'fe80::1', zone: '12', metric: 271 }])
    expect(gatewayIn6(routes, all)).toEqual({ gateway: 'fe80::1%12', own: '2a0f:77:1::20' })
  })
})

test('no output makes a parser throw', () => {
  const words = [
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
  ]
  const output = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...words)).map((some) => some.join(' ')),
  )
  fc.assert(
    fc.property(output, (text) => {
      for (const parse of [bsdRoutes, linuxRoutes, linuxRoutes6, windowsRoutes, windowsRoutes6]) {
        expect(() => findGateway(parse(text), having(HOME))).not.toThrow()
      }
    }),
  )
})
