import { expect, test } from 'vitest'
import { internetLines, leftLines } from '../../../server/cli/internet-lines'
import { aTunnel, aView } from '../renderer/internet/internet-view'

test('prints the address of a reached host, and nothing to do', () => {
  const view = aView({ way: 'router', state: 'open', url: 'https://11.77.0.10' })
  expect(internetLines(view)).toEqual(['Anyone can reach this host at https://11.77.0.10'])
})

test.for([
  [aView(), /or start with --share internet --accept-terms\. .* --tunnel USER@SERVER\.$/],
  [
    aView({ state: 'no_router_help' }),
    /forward TCP port 443 to 192\.168\.1\.20 in the router \(http:\/\/192\.168\.1\.1\)/,
  ],
  [
    aView({ way: 'router', state: 'blocked', other_port: 4780 }),
    /start with --internet-port 4780\./,
  ],
  [
    aView({ way: 'router', state: 'unproven', url: 'https://11.77.0.10' }),
    /Open https:\S+ with a phone off Wi-Fi\.$/,
  ],
  [aTunnel('key_refused'), /\nrestrict,port-forwarding,permitlisten="443" ssh-ed25519/],
  [aTunnel('fingerprint_changed'), /start with --tunnel-fingerprint SHA256:…$/],
] as const)('prints how to do what the page has a button for: %#', ([view, advice]) => {
  expect(internetLines(view)[1]).toMatch(advice)
})

test('names each port that a router keeps open for a host that does not run, while its lease lasts', () => {
  const now = new Date('2026-11-20T12:00:00.000Z')
  const mapping = {
    ...({
      protocol: 'pcp',
      router: '192.168.1.1',
      client: '192.168.1.20',
      port: 4791,
      external: 443,
    } as const),
    ...{ lifetimeS: 900, permanent: false, epoch: 7, nonce: null, location: null },
  }
  const until = (iso: string | null) => leftLines([{ ...mapping, until: iso }], now)
  expect(until('2026-11-20T11:59:59.000Z')).toEqual([])
  expect(until('2026-12-24T12:00:00.000Z')[0]).toMatch(
    /keeps port 443 open for this host until 24 December, \d\d:\d\d, or/,
  )
  expect(until(null)).toEqual([
    'The router 192.168.1.1 still keeps port 443 open for this host until its next start.',
  ])
})
