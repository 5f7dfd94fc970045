import { describe, expect, test } from 'vitest'
import type { InternetView } from '../../../../server/contract'
import { says } from '../../../../renderer/features/internet/state-words'
import { aTunnel, aView } from './internet-view'

const byRouter = (state: InternetView['state'], own: Partial<InternetView> = {}) =>
  aView({ way: 'router', state, external_port: 443, ...own })

/** The state, its line, a part of its reason, and its buttons. */
const table: [name: string, view: InternetView, line: string, reason: string, buttons: string[]][] = [
  [
    'off',
    aView(),
    'Only your network can reach this host.',
    'do not work outside your network',
    ['Make links work anywhere', 'Use a tunnel'],
  ],
  [
    'off without rate limits',
    aView({ blockers: ['no_rate_limits'] }),
    'Only your network can reach this host.',
    'without --no-rate-limits',
    [],
  ],
  [
    'off without a host account',
    aView({ blockers: ['no_host_account'] }),
    'Only your network can reach this host.',
    'Create the host account first',
    [],
  ],
  [
    'off behind a shared address',
    aView({ state: 'shared_address', outer_address: '100.71.3.9' }),
    'Only your network can reach this host.',
    'Your provider shares one internet address',
    ['Use a tunnel'],
  ],
  [
    'off with a router that does not help',
    aView({ state: 'no_router_help' }),
    'Only your network can reach this host.',
    'Your router does not open ports automatically',
    ['Open the port by hand', 'Use a tunnel'],
  ],
  [
    'a check before anything was opened',
    aView({ state: 'checking' }),
    'Only your network can reach this host.',
    'Slipway asks your router',
    ['Make links work anywhere', 'Use a tunnel'],
  ],
  ['checking', byRouter('checking'), 'Checking how people can reach this host…', 'Slipway asks your router', []],
  ['opening', byRouter('opening'), 'Opening this host to the internet…', 'a few seconds', []],
  ['open', byRouter('open'), 'Anyone can reach this host.', '', ['Test with your phone']],
  [
    'unproven',
    byRouter('unproven'),
    'The port is open, but not tested from outside yet.',
    'this computer cannot test it',
    ['Test with your phone'],
  ],
  [
    'a router that fell silent',
    byRouter('unproven', { router: { ...aView().router!, is_silent: true } }),
    'Your router no longer answers. It may not lead people here.',
    'restart the router',
    ['Test with your phone'],
  ],
  [
    'IPv6 only',
    byRouter('ipv6_only'),
    'Only people with IPv6 can reach this host.',
    'no public IPv4 address',
    ['Use a tunnel'],
  ],
  [
    'no help of the router',
    byRouter('no_router_help'),
    'Your router does not open ports automatically.',
    'PCP, NAT-PMP nor UPnP',
    ['Show router settings', 'Use a tunnel'],
  ],
  [
    'a port opened by hand',
    byRouter('no_router_help', { url: 'https://203.0.113.7' }),
    'Your router does not open ports automatically.',
    'by hand',
    ['Show router settings', 'Test with your phone', 'Use a tunnel'],
  ],
  [
    'a refusal of the router',
    byRouter('router_refuses', { problem: 'Action not authorized (606)' }),
    'Your router refused to open the port.',
    '“Action not authorized (606)”',
    ['Show router settings', 'Use a tunnel'],
  ],
  [
    'a taken port',
    byRouter('port_taken', { other_port: 4780, router: { ...aView().router!, holder: '192.168.1.30' } }),
    'Another device uses port 443.',
    'Your router sends this port to 192.168.1.30.',
    ['Use port 4780 instead', 'Use a tunnel'],
  ],
  [
    'an address that the provider shares',
    byRouter('shared_address', { outer_address: '100.71.3.9', observed_address: '198.51.100.4' }),
    'Your provider shares one internet address among customers.',
    'Your router has 100.71.3.9, but the internet sees 198.51.100.4.',
    ['Use a tunnel'],
  ],
  [
    'an address that the router does not name',
    byRouter('shared_address', { observed_address: '198.51.100.4' }),
    'Another router or your provider stands between yours and the internet.',
    'If you have two routers, switch the first one to bridge mode.',
    ['Use a tunnel'],
  ],
  [
    'a second router',
    byRouter('two_routers', { outer_address: '192.168.0.14' }),
    'There is a second router between yours and the internet.',
    'The outer address of your router, 192.168.0.14, is private.',
    ['Show router settings', 'Use a tunnel'],
  ],
  [
    'a blocked port',
    byRouter('blocked', { other_port: 4780 }),
    'The port is open, but connections from outside do not arrive.',
    'blocks port 443',
    ['Try port 4780', 'Use a tunnel'],
  ],
  ['no network', byRouter('offline'), 'This computer has no network.', 'tries again', []],
  [
    'no certificate',
    byRouter('certificate_failed', { certificate: { until: null, problem: 'Too many certificates' } }),
    'The port is open, but people cannot sign in.',
    'The certificate authority answered: “Too many certificates”.',
    ['Try again'],
  ],
  [
    'no certificate, although people came',
    byRouter('certificate_failed', { proof: { at: '2026-11-20T12:00:00.000Z', by: 'visitor' } }),
    'People can reach this host, but they cannot sign in.',
    'Only public pages and downloads work.',
    ['Try again'],
  ],
  [
    'a port of a former address',
    byRouter('port_taken', {
      other_port: 4780,
      router: { ...aView().router!, holder: '192.168.1.7', holder_is_former: true },
    }),
    'Your router keeps port 443 for a former address.',
    '192.168.1.7 was the address of this computer.',
    ['Use port 4780 instead', 'Use a tunnel'],
  ],
  [
    'a tunnel',
    aTunnel(null, { state: 'tunnel_open', url: 'https://vps.example' }),
    'Anyone can reach this host through your server.',
    'vps.example forwards port 443 to this computer.',
    [],
  ],
  [
    'a tunnel without a certificate',
    aTunnel(null, { state: 'tunnel_open', url: 'http://vps.example:8443' }),
    'Anyone can reach this host through your server.',
    'Without a certificate, only public pages and downloads work.',
    [],
  ],
  [
    'a server that does not answer',
    aTunnel('unreachable', { state: 'tunnel_waiting', problem: 'Connection refused' }),
    'Your server does not answer.',
    'vps.example answered: “Connection refused”.',
    ['Try now', 'Change server'],
  ],
  [
    'a key that the server does not accept',
    aTunnel('key_refused'),
    'Your server does not accept the key of this computer.',
    'authorized_keys on vps.example',
    ['Show key'],
  ],
  [
    'a server to confirm',
    aTunnel('fingerprint_unknown'),
    'Confirm that this is your server.',
    'Nothing was sent.',
    ['Compare fingerprints'],
  ],
  [
    'a server with another key',
    aTunnel('fingerprint_changed'),
    'The key of your server changed. Slipway stopped.',
    'Someone may intercept the connection',
    ['Compare fingerprints'],
  ],
  [
    'a server that refuses to forward',
    aTunnel('forwarding_refused'),
    'Your server does not allow forwarding.',
    'The SSH server on vps.example refuses',
    ['Show server settings'],
  ],
  [
    'a server that forwards from itself only',
    aTunnel('loopback_only'),
    'Connections from outside do not arrive through your server.',
    'GatewayPorts clientspecified',
    ['Show server settings'],
  ],
]

describe('the card says', () => {
  test.each(table)('%s: line, reason and buttons', (_name, view, line, reason, buttons) => {
    const said = says(view)
    expect(said.line).toBe(line)
    expect(said.reason).toContain(reason)
    expect(said.offers.map(({ label }) => label)).toEqual(buttons)
  })

  test('only this computer reaches a host that is not shared', () => {
    expect(says(aView(), false).line).toBe('Only this computer can reach this host.')
    expect(says(aView({ state: 'two_routers' }), false).line).toBe('Only this computer can reach this host.')
  })

  test('what no other state says', () => {
    const lines = table.filter(([, { way }]) => way !== 'off').map(([, view]) => says(view).line)
    const usedTwice = lines.filter((line, index) => lines.indexOf(line) !== index)
    expect(new Set(usedTwice)).toEqual(
      new Set(['Your router does not open ports automatically.', 'Anyone can reach this host through your server.']),
    )
  })
})
