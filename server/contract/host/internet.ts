import { z } from 'zod'
import { endpoint } from '../endpoint'
import { time } from '../fields'
import { internetSettings as settings } from '../host-settings/internet'

/**
 * The lines of `sshd_config` that make a tunnel reachable from outside and let a lost session free
 * its port (sshd_config(5)).
 */
export const SSHD_SETTINGS = ['GatewayPorts clientspecified', 'ClientAliveInterval 15'] as const

/**
 * `unproven`: the port is open, but no connection from outside was seen since then.
 * `shared_address`: the provider gives one address to many customers. `blocked`: the port is open,
 * but nothing arrives. `tunnel_waiting`: retries automatically.
 */
const internetStates = [
  'off',
  'checking',
  'opening',
  'open',
  'unproven',
  'ipv6_only',
  'no_router_help',
  'router_refuses',
  'port_taken',
  'shared_address',
  'two_routers',
  'blocked',
  'offline',
  'certificate_failed',
  'tunnel_open',
  'tunnel_waiting',
  'tunnel_failed',
] as const

const routerSchema = z.object({
  address: z.string(),
  name: z.string().nullable(),
  /** Supported protocols. Empty if the router opens no ports on request. */
  protocols: z.array(z.enum(['pcp', 'nat-pmp', 'upnp'])),
  /**
   * Whether the router stopped answering after it made the mapping, so that the mapping may be
   * lost.
   */
  is_silent: z.boolean(),
  /** The device that has the port; null: free or unknown. */
  holder: z.string().nullable(),
  /** This computer had the holder's address before: the router still keeps its port. */
  holder_is_former: z.boolean(),
  /** Time at which the router frees that port. Null if unknown or at any moment. */
  holder_until: time.nullable(),
})

const tunnelSchema = z.object({
  server: z.string(),
  remote_port: z.int(),
  retry_at: time.nullable(),
  /** The key that the server presented, as `SHA256:…`; null: not seen. */
  fingerprint: z.string().nullable(),
  problem: z
    .enum([
      'key_refused',
      'fingerprint_unknown',
      'fingerprint_changed',
      'forwarding_refused',
      'loopback_only',
      'unreachable',
    ])
    .nullable(),
  /** The line for `authorized_keys` on the server. */
  authorized_key: z.string(),
})

export const internetSchema = z.object({
  /** The choice of the host account. */
  way: z.enum(['off', 'router', 'tunnel']),
  state: z.enum(internetStates),
  /** Public origin while open, such as `https://203.0.113.7`. Null if there is none. */
  url: z.url().nullable(),
  since: time.nullable(),
  /** The last connection from outside. `request`: the host reached itself through its tunnel. */
  proof: z
    .object({ at: time, by: z.enum(['authority', 'phone', 'visitor', 'request']) })
    .nullable(),
  /**
   * The error message of the router, authority or SSH server, such as
   * `Action not authorized (606)`, or null.
   */
  problem: z.string().nullable(),
  /** The conditions that prevent opening. */
  blockers: z.array(z.enum(['in_cluster', 'no_host_account', 'no_rate_limits'])),
  /** The steps of the current or last opening, in order. */
  steps: z.array(
    z.object({
      step: z.enum(['door', 'router', 'address', 'certificate', 'tunnel', 'proof']),
      state: z.enum(['waiting', 'running', 'done', 'failed']),
    }),
  ),
  /** This computer: its address toward the router, and the port for people from outside. */
  local: z.object({ address: z.string().nullable(), port: z.int().nullable() }),
  /** Null: not asked, or none answered. */
  router: routerSchema.nullable(),
  /** The port on the internet. */
  external_port: z.int().nullable(),
  /** A port to use instead of a taken or blocked one. */
  other_port: z.int().nullable(),
  /** The address that the router has on the internet. */
  outer_address: z.string().nullable(),
  /** The address that the internet sees. */
  observed_address: z.string().nullable(),
  /** Whether a VPN has the default route. Then the observed address is not the provider's. */
  has_vpn: z.boolean(),
  ipv6_address: z.string().nullable(),
  /** Time at which the router closes the port, unless renewed. */
  lease_until: time.nullable(),
  /** The router keeps the port open until it is removed, also after a crash. */
  permanent: z.boolean(),
  certificate: z.object({ until: time.nullable(), problem: z.string().nullable() }).nullable(),
  /** Whether the host account has accepted the terms of the certificate authority. */
  terms_accepted: z.boolean(),
  /** Whether devices on the local network can reach `url` (hairpin NAT); null: unknown. */
  hairpin: z.boolean().nullable(),
  tunnel: tunnelSchema.nullable(),
  /** Other programs on this computer that publish it. */
  other_tunnels: z.array(
    z.object({ program: z.enum(['cloudflared', 'tailscale', 'ngrok']), url: z.url() }),
  ),
  /** Addresses from outside in the last hour. */
  visitors: z.int(),
  /** Failed sign-ins from outside in the last hour. */
  failed_sign_ins: z.int(),
  registration_open: z.boolean(),
})
export type InternetView = z.infer<typeof internetSchema>

const NO_SERVER = 'Enter the name or the IP address of your server'

const tunnelChoiceSchema = z.object({
  server: settings.tunnel_server.schema.refine((server) => server !== '', NO_SERVER),
  port: settings.tunnel_port.schema.default(settings.tunnel_port.default),
  user: settings.tunnel_user.schema.refine(
    (user) => user !== '',
    'Enter the user name on your server',
  ),
  remote_port: settings.tunnel_remote_port.schema.default(settings.tunnel_remote_port.default),
  /** The key of the server that a person compared; null: connect once to see it. */
  fingerprint: settings.tunnel_fingerprint.schema.default(null),
})
export type TunnelChoice = z.output<typeof tunnelChoiceSchema>

const reply = z.object({ internet: internetSchema })

export const internet = {
  show: endpoint('GET', '/api/host/internet', {
    summary:
      'Whether and how people outside the network reach this host; contacts no router or server',
    access: 'host',
    input: z.object({}),
    reply,
  }),
  check: endpoint('POST', '/api/host/internet/check', {
    summary: 'Ask the router what it allows; opens nothing',
    access: 'host',
    input: z.object({
      ask_outside: z
        .boolean('Use true or false')
        .default(false)
        .describe('Whether to ask the STUN server too for the address that the internet sees'),
    }),
    reply,
    errors: ['busy'],
  }),
  open: endpoint('POST', '/api/host/internet/open', {
    summary:
      'Open this host to the internet, through the router or a tunnel; the reply comes when ' +
      'it has begun',
    access: 'host',
    asksAgain: 'with_factor',
    input: z.object({
      way: z
        .enum(['router', 'tunnel'])
        .describe('Through the router, or through a tunnel to a server of yours'),
      terms_accepted: z
        .boolean('Use true or false')
        .default(false)
        .describe('Whether you accept the terms of the certificate authority; once is enough'),
      keep_registration_open: z
        .boolean('Use true or false')
        .default(false)
        .describe('Whether registration stays open; otherwise opening closes it'),
      port: settings.internet_port.schema.optional().meta({
        description: 'The port on the internet; without it, that of the settings',
        examples: [443],
      }),
      tunnel: tunnelChoiceSchema.optional().meta({
        description:
          'Your server: `server`, `port`, `user`, `remote_port` and the confirmed `fingerprint`',
        examples: [{ server: 'vps.example.org', port: 22, user: 'slipway', remote_port: 8443 }],
      }),
    }),
    reply,
    errors: ['forbidden', 'rate_limits_off', 'terms_needed', 'busy'],
  }),
  close: endpoint('POST', '/api/host/internet/close', {
    summary: 'Close this host to the internet, and undo what opening did',
    access: 'host',
    input: z.object({}),
    reply,
  }),
  phoneTest: endpoint('POST', '/api/host/internet/phone-test', {
    summary:
      'Create a link to open with a phone off Wi-Fi, which proves that people outside reach ' +
      'this host',
    access: 'host',
    input: z.object({}),
    reply: z.object({
      /** Works once. */
      url: z.url(),
      expires_at: time,
    }),
    errors: ['internet_closed'],
  }),
}
