import { expect, test } from 'vitest'
import { leftLines, said } from '../../../server/cli/internet-lines'
import { internetSchema, type InternetView } from '../../../server/contract/host/internet'

const view: InternetView = {
  ...{ way: 'router', state: 'off', url: 'https://11.77.0.10', since: null, proof: null, problem: null },
  ...{ blockers: [], steps: [], local: { address: '192.168.1.20', port: 4791 } },
  router: {
    address: '192.168.1.1',
    name: null,
    protocols: [],
    is_silent: false,
    holder: '192.168.1.30',
    holder_is_former: false,
    holder_until: null,
  },
  ...{ external_port: 443, other_port: 4780, outer_address: '100.64.0.10', observed_address: null, ipv6_address: null },
  has_vpn: false,
  ...{ lease_until: null, permanent: false, certificate: null, terms_accepted: true, hairpin: null },
  ...{ tunnel: null, other_tunnels: [], visitors: 0, failed_sign_ins: 0, registration_open: false },
}
const tunnel: NonNullable<InternetView['tunnel']> = {
  ...{ server: 'vps.example', remote_port: 8443, retry_at: null, fingerprint: `SHA256:${'x'.repeat(43)}` },
  ...{ problem: null, authorized_key: 'restrict,port-forwarding ssh-ed25519 AAAA slipway' },
}

test.for(internetSchema.shape.state.options)('says in words what %s means', (state) => {
  const { line, advice } = said({ ...view, state })
  expect(line).toMatch(/^[A-Z].{20,}/)
  expect(`${line} ${advice}`).not.toMatch(/null|undefined/)
})

test('says that a silent router may lead nobody here', () => {
  const { router } = view
  const { line, advice } = said({ ...view, state: 'unproven', router: { ...router!, is_silent: true } })
  expect(line).toBe('The router no longer answers; it may not lead people here.')
  expect(advice).toBe('Open https://11.77.0.10 with a phone off Wi-Fi.')
})

test('blames the provider only where the router names its outer address', () => {
  const shared = (outer_address: string | null) => said({ ...view, state: 'shared_address', outer_address })
  expect(shared('100.64.0.10').advice).toContain('No router setting helps.')
  expect(shared(null)).toEqual({
    line: 'Another router or the provider stands between this router and the internet.',
    advice: expect.stringContaining('If you have two routers, switch the first one to bridge mode.') as string,
  })
})

test('names each port that a router keeps open for a host that does not run, while its lease lasts', () => {
  const now = new Date('2026-11-20T12:00:00.000Z')
  const mapping = {
    ...({ protocol: 'pcp', router: '192.168.1.1', client: '192.168.1.20', port: 4791, external: 443 } as const),
    ...{ lifetimeS: 900, permanent: false, epoch: 7, nonce: null, location: null },
  }
  const until = (iso: string | null) => leftLines([{ ...mapping, until: iso }], now)
  expect(until('2026-11-20T11:59:59.000Z')).toEqual([])
  expect(until('2026-12-24T12:00:00.000Z')[0]).toMatch(
    /keeps port 443 open for this host until 24 December, \d\d:\d\d, or/,
  )
  expect(until(null)).toEqual(['The router 192.168.1.1 still keeps port 443 open for this host until its next start.'])
})

test('says which port to forward where, if the router does not help', () => {
  const { advice } = said({ ...view, state: 'no_router_help' })
  expect(advice).toContain('forward TCP port 443 to 192.168.1.20 port 4791')
  expect(advice).toContain('http://192.168.1.1')
})

test.for([
  ['no_host_account', 'Create the host account first.'],
  ['no_rate_limits', 'Start the host without --no-rate-limits first.'],
] as const)('says what to do about %s', ([blocker, advice]) => {
  expect(said({ ...view, blockers: [blocker] }).advice).toBe(advice)
})

test('tells a former address of this computer from another device', () => {
  const { router } = view
  const until = new Date(new Date().setHours(6, 8)).toISOString()
  const former = (holder_until: string | null): InternetView => ({
    ...view,
    state: 'port_taken',
    router: { ...router!, holder_is_former: true, holder_until },
  })
  expect(said({ ...view, state: 'port_taken' }).line).toBe('Another device uses port 443: 192.168.1.30.')
  const line = 'The router still sends port 443 to a former address of this computer: 192.168.1.30.'
  const other = 'Or choose another port, such as --internet-port 4780.'
  expect(said(former(until))).toEqual({
    line,
    advice: `It does so until 06:08, then Slipway opens it again by itself. ${other}`,
  })
  expect(said(former(null))).toEqual({
    line,
    advice: `The router frees it soon, then Slipway opens it again by itself. ${other}`,
  })
})

test.for([
  ['key_refused', /restrict,port-forwarding ssh-ed25519/],
  ['fingerprint_unknown', /--tunnel-fingerprint SHA256:x{43}/],
  ['fingerprint_changed', /If you reinstalled it/],
  ['forwarding_refused', /AllowTcpForwarding yes/],
  ['loopback_only', /GatewayPorts clientspecified/],
] as const)('says how to fix a tunnel: %s', ([problem, advice]) => {
  const failed = said({ ...view, way: 'tunnel', state: 'tunnel_failed', tunnel: { ...tunnel, problem } })
  expect(failed.line).toContain('vps.example')
  expect(failed.advice).toMatch(advice)
})
