import { describe, expect, test } from 'vitest'
import type { Refusal } from '../../../../server/features/internet/lease/lease'
import { isMappingOfUse, verdictOf, type Facts } from '../../../../server/features/internet/verdict'

const PUBLIC = '203.0.113.7'

/** A router that has mapped the port, before anybody came. */
const mapped: Facts = {
  way: 'router',
  busy: null,
  hasNetwork: true,
  hasVpn: false,
  answers: 3,
  isSilent: false,
  outer: { address: PUBLIC, special: undefined },
  refusal: null,
  observed: PUBLIC,
  hasPinhole: false,
  wantedPort: 443,
  certificate: 'none',
  proof: null,
  tunnel: null,
}
const proved: Facts = { ...mapped, certificate: 'valid', proof: 'ipv4' }
const unmapped = mapped
const off: Facts = { ...unmapped, way: 'off', observed: null }
const outside = (address: string, special: 'private' | 'shared' | 'other' | undefined) => ({
  outer: { address, special },
})
const refusal = (
  reason: Refusal['reason'],
  code: number | null = null,
  words = 'No',
  holder: string | null = null,
) => ({
  refusal: { reason, code, holder, words },
})
const byTunnel = (tunnel: Facts['tunnel']): Facts => ({
  ...off,
  way: 'tunnel',
  answers: undefined,
  outer: undefined,
  tunnel,
})
const refused = { isConnection: true, words: '203.0.113.7: Connection refused' }
const limited = { isConnection: false, words: 'Too many certificates already issued' }

const table: [title: string, facts: Facts, state: string][] = [
  ['off, before the router was asked', { ...off, answers: undefined, outer: undefined }, 'off'],
  ['off, and the router would help', off, 'off'],
  ['off, while the check runs', { ...off, busy: 'checking' }, 'checking'],
  [
    'off, with a router that does not help',
    { ...off, answers: 0, outer: undefined },
    'no_router_help',
  ],
  ['off, behind carrier NAT', { ...off, ...outside('100.71.3.9', 'shared') }, 'shared_address'],
  ['off, behind a second router', { ...off, ...outside('192.168.0.14', 'private') }, 'two_routers'],
  ['off, with a router without an address: nothing is known yet', { ...off, outer: null }, 'off'],
  ['off, without a network', { ...off, hasNetwork: false }, 'offline'],
  ['while it opens', { ...unmapped, busy: 'opening' }, 'opening'],
  ['without a network', { ...unmapped, hasNetwork: false }, 'offline'],
  ['mapped, before anyone came', mapped, 'unproven'],
  ['mapped, with a certificate of last week', { ...mapped, certificate: 'valid' }, 'unproven'],
  [
    'mapped, and the router no longer answers',
    { ...mapped, answers: 0, isSilent: true },
    'unproven',
  ],
  [
    'mapped by a silent router, and someone came since then',
    { ...proved, answers: 0, isSilent: true },
    'open',
  ],
  ['mapped, without asking the STUN server', { ...mapped, observed: null }, 'unproven'],
  ['proved by the authority', proved, 'open'],
  ['proved over IPv6 beside a mapped port', { ...proved, proof: 'ipv6' }, 'open'],
  ['proved, but without a certificate', { ...proved, certificate: limited }, 'certificate_failed'],
  [
    'proved before a certificate was ordered',
    { ...proved, certificate: 'none' },
    'certificate_failed',
  ],
  ['a manual mapping that somebody used', { ...proved, answers: 0, outer: undefined }, 'open'],
  [
    'a second router that forwards the port',
    { ...proved, ...outside('192.168.0.14', 'private') },
    'open',
  ],
  ['a mismatch, but a visitor came', { ...proved, observed: '198.51.100.4' }, 'open'],
  ['the authority does not connect', { ...mapped, certificate: refused }, 'blocked'],
  [
    'the authority refuses for another reason',
    { ...mapped, certificate: limited },
    'certificate_failed',
  ],
  ['no protocol answers', { ...unmapped, answers: 0, outer: undefined }, 'no_router_help'],
  [
    'the router only looks like one that helps',
    { ...unmapped, ...refusal('unsupported', 401) },
    'no_router_help',
  ],
  ['the router stops answering', { ...unmapped, ...refusal('silent') }, 'no_router_help'],
  ['the router says no (606)', { ...unmapped, ...refusal('refused', 606) }, 'router_refuses'],
  ['the router has no room (728)', { ...unmapped, ...refusal('no_room', 728) }, 'router_refuses'],
  ['another device has the port', { ...unmapped, ...refusal('port_taken', 718) }, 'port_taken'],
  [
    'carrier NAT that the router admits',
    { ...mapped, ...outside('100.71.3.9', 'shared') },
    'shared_address',
  ],
  [
    'carrier NAT with a public-looking address',
    { ...mapped, observed: '198.51.100.4' },
    'shared_address',
  ],
  [
    'carrier NAT, and another device has the port',
    { ...mapped, observed: '198.51.100.4', ...refusal('port_taken') },
    'shared_address',
  ],
  [
    'the router has no address, the internet answers',
    { ...unmapped, outer: null },
    'shared_address',
  ],
  [
    'the router says 0.0.0.0, the internet answers',
    { ...unmapped, ...outside('0.0.0.0', 'other') },
    'shared_address',
  ],
  [
    'the router refuses without an address, the internet answers',
    { ...unmapped, outer: null, ...refusal('no_network', 501) },
    'shared_address',
  ],
  [
    'the router has no address, the internet is silent',
    { ...unmapped, outer: null, observed: null },
    'offline',
  ],
  [
    'the router says 0.0.0.0, the internet is silent',
    { ...unmapped, ...outside('0.0.0.0', 'other'), observed: null },
    'offline',
  ],
  [
    'the router has no internet',
    { ...unmapped, ...refusal('no_network', 3), observed: null },
    'offline',
  ],
  [
    'a VPN hides the address: no comparison',
    { ...mapped, observed: '198.51.100.4', hasVpn: true },
    'unproven',
  ],
  [
    'two routers',
    { ...mapped, ...outside('192.168.0.14', 'private'), observed: PUBLIC },
    'two_routers',
  ],
  [
    'two routers, and the authority does not connect',
    { ...mapped, ...outside('10.0.0.2', 'private'), certificate: refused },
    'two_routers',
  ],
  [
    'carrier NAT beside an IPv6 pinhole',
    { ...mapped, observed: '198.51.100.4', hasPinhole: true },
    'ipv6_only',
  ],
  [
    'carrier NAT, proved over IPv6',
    { ...proved, proof: 'ipv6', observed: '198.51.100.4', hasPinhole: true },
    'ipv6_only',
  ],
  [
    'IPv6 only, proved',
    { ...unmapped, outer: null, observed: null, hasPinhole: true, proof: 'ipv6' },
    'ipv6_only',
  ],
  ['IPv6 only', { ...unmapped, outer: null, observed: null, hasPinhole: true }, 'ipv6_only'],
  ['the tunnel connects', byTunnel({ kind: 'connecting', words: null }), 'opening'],
  ['the tunnel is open', byTunnel({ kind: 'open', words: null }), 'tunnel_open'],
  [
    'the tunnel waits',
    byTunnel({ kind: 'waiting', words: 'Connection refused' }),
    'tunnel_waiting',
  ],
  ['the tunnel failed', byTunnel({ kind: 'failed', words: 'key refused' }), 'tunnel_failed'],
]

test.each(table)('%s', (_title, facts, state) => expect(verdictOf(facts).state).toBe(state))

describe('what the page needs', () => {
  test('names the device that has the port, and another port', () => {
    const facts: Facts = {
      ...unmapped,
      ...refusal('port_taken', 718, 'Another device has this port (718)', '192.168.1.30'),
    }
    expect(verdictOf(facts)).toEqual({
      state: 'port_taken',
      holder: '192.168.1.30',
      otherPort: 4780,
      problem: 'Another device has this port (718)',
    })
    expect(verdictOf({ ...facts, wantedPort: 4780 }).otherPort).toBe(443)
  })

  test("quotes the router's and the authority's own words", () => {
    const no: Facts = { ...unmapped, ...refusal('refused', 606, 'Action not authorized (606)') }
    expect(verdictOf(no).problem).toBe('Action not authorized (606)')
    expect(verdictOf({ ...mapped, certificate: refused })).toMatchObject({
      problem: refused.words,
      otherPort: 4780,
    })
    expect(verdictOf({ ...proved, certificate: limited })).toMatchObject({
      problem: limited.words,
      otherPort: null,
    })
    expect(verdictOf(byTunnel({ kind: 'waiting', words: 'Connection refused' })).problem).toBe(
      'Connection refused',
    )
  })

  test('drops earlier problems once visitors arrive', () => {
    const verdict = verdictOf({ ...proved, ...refusal('refused', 606) })
    expect(verdict).toEqual({ state: 'open', holder: null, otherPort: null, problem: null })
  })

  test('removes a mapping only where it is useless', () => {
    expect(isMappingOfUse('shared_address')).toBe(false)
    expect((['open', 'unproven', 'two_routers', 'blocked'] as const).every(isMappingOfUse)).toBe(
      true,
    )
  })
})
