import type { InternetView } from '../../../../server/contract'

/** A view with what a test needs; the rest as while nothing is open. */
export const aView = (own: Partial<InternetView> = {}): InternetView => ({
  way: 'off',
  state: 'off',
  url: null,
  since: null,
  proof: null,
  problem: null,
  blockers: [],
  steps: [],
  local: { address: '192.168.1.20', port: null },
  router: {
    address: '192.168.1.1',
    name: 'Home Router',
    protocols: ['upnp'],
    is_silent: false,
    holder: null,
    holder_is_former: false,
    holder_until: null,
  },
  external_port: null,
  other_port: null,
  outer_address: null,
  observed_address: null,
  has_vpn: false,
  ipv6_address: null,
  lease_until: null,
  permanent: false,
  certificate: null,
  terms_accepted: false,
  hairpin: null,
  tunnel: null,
  other_tunnels: [],
  visitors: 0,
  failed_sign_ins: 0,
  registration_open: true,
  ...own,
})

type Tunnel = NonNullable<InternetView['tunnel']>

/** A view of a tunnel with this problem. */
export const aTunnel = (
  problem: Tunnel['problem'],
  own: Partial<InternetView> = {},
): InternetView =>
  aView({
    way: 'tunnel',
    state: 'tunnel_failed',
    tunnel: {
      server: 'vps.example',
      remote_port: 443,
      retry_at: null,
      fingerprint: null,
      problem,
      authorized_key: 'restrict,port-forwarding,permitlisten="443" ssh-ed25519 AAAA slipway',
    },
    ...own,
  })
