import type { InternetView } from '../../contract'

/**
 * An action that helps in a state: the page has a button for each, the command an option. The first
 * is the main one.
 */
export type Remedy =
  | 'start'
  | 'by_hand'
  | 'retry'
  | 'phone'
  | 'router'
  | 'other_port'
  | 'tunnel'
  | 'change_server'
  | 'key'
  | 'fingerprint'
  | 'server_settings'

interface InternetTexts {
  /** One sentence: whether people outside can reach this host. */
  line: string
  /** Why, and what to do; can be empty. */
  reason: string
  remedies: readonly Remedy[]
}

const say = (line: string, reason = '', remedies: readonly Remedy[] = []): InternetTexts => ({
  line,
  reason: reason.trimEnd(),
  remedies,
})

interface Reader {
  /** Writes a time as the reader's place does, such as '14:02'. */
  timeOf: (iso: string) => string
  /** The line while this host is not open. */
  offLine: string
}

/** The sentences of a state, for the Host page and the command. */
export function internetTexts(view: InternetView, { timeOf, offLine }: Reader): InternetTexts {
  const { way, state, blockers } = view
  const texts = states[state](view, timeOf)

  if (way !== 'off' && state !== 'off') return texts
  if (blockers.includes('in_cluster'))
    return say('People outside reach this host through the balancer.', ONE_OF_SEVERAL)

  const off = { ...states.off(view, timeOf), line: offLine }
  if (state === 'off' || blockers.length > 0) return off
  if (state === 'checking') return { ...off, reason: texts.reason }
  return say(
    offLine,
    `${texts.line} ${texts.reason}`,
    state === 'shared_address' ? ['tunnel'] : ['by_hand', 'tunnel'],
  )
}

const ONE_OF_SEVERAL =
  'This host is one of several. The balancer in front of them sends visitors to each.'

/** The port on the internet. */
export const portOf = ({ external_port: port }: InternetView): number => port ?? 443

/** Without it, the connection is not encrypted. */
export const NO_CERTIFICATE =
  'Without a certificate, only public pages and downloads work. Use port 443 on your server ' +
  'to let people sign in.'

const states: Record<
  InternetView['state'],
  (view: InternetView, timeOf: Reader['timeOf']) => InternetTexts
> = {
  off: ({ blockers: [blocker], other_tunnels: others }) => {
    const line = 'This host is not open to the internet.'
    if (blocker) return say(line, blockerTexts[blocker])
    return say(line, others.length > 0 ? '' : 'Links do not work outside your network.', [
      'start',
      'tunnel',
    ])
  },
  checking: () =>
    say('Checking how people can reach this host…', 'Slipway asks your router what it allows.'),
  opening: () => say('Opening this host to the internet…', 'This takes a few seconds.'),
  open: ({ way }) => say('Anyone can reach this host.', '', way === 'router' ? ['phone'] : []),
  unproven: ({ has_vpn: hasVpn, router }) => {
    if (router?.is_silent) {
      const reason =
        'Slipway keeps asking it. If a phone off Wi-Fi does not reach this host either, ' +
        'restart the router.'
      return say(
        'Your router no longer answers. It may not forward connections to this host.',
        reason,
        ['phone'],
      )
    }

    const vpn =
      ' It also uses a VPN, so it cannot tell whether your provider shares one address among ' +
      'customers.'
    const reason =
      'Most routers do not let local devices use their public address, so this computer ' +
      'cannot test it.'
    return say(
      'The port is open, but not tested from outside yet.',
      hasVpn ? reason + vpn : reason,
      ['phone'],
    )
  },
  ipv6_only: () => {
    const reason = 'Your provider gives you no public IPv4 address. A tunnel reaches everyone.'
    return say('Only people with IPv6 can reach this host.', reason, ['tunnel'])
  },
  no_router_help: (view) => {
    const reason =
      'It answers neither PCP, NAT-PMP nor UPnP. Turn one of them on in the router, or open ' +
      'the port by hand.'
    return say('Your router does not open ports automatically.', reason, openByHand(view))
  },
  router_refuses: (view) => {
    const reason = quote('It', view.problem) || 'It gave no reason.'
    return say('Your router refused to open the port.', reason, openByHand(view))
  },
  port_taken: (view, timeOf) => {
    const port = portOf(view)
    const { holder_is_former: isFormer, holder_until: until } = view.router ?? {}
    const holder = view.router?.holder ?? 'another device'
    const wait = until ? `keeps the port until ${timeOf(until)}` : 'frees the port soon'

    const [line, reason] = isFormer
      ? [
          `Your router keeps port ${port} for a former address.`,
          `${holder} was the address of this computer. Your router ${wait}, then Slipway ` +
            'opens it again by itself.',
        ]
      : [
          `Another device uses port ${port}.`,
          `Your router sends this port to ${holder}. Slipway never takes a port from another ` +
            'device.',
        ]
    return say(line, reason, ['other_port', 'tunnel'])
  },
  shared_address: ({ outer_address: outer, observed_address: observed }) => {
    const advice = 'ask your provider for a public IPv4 address, or use a tunnel.'

    // A router that reports no outer address may be behind a second router.
    if (outer === null) {
      const reason =
        'If you have two routers, switch the first one to bridge mode. Otherwise ' + advice
      return say('Another router or your provider stands between yours and the internet.', reason, [
        'tunnel',
      ])
    }

    const detail =
      observed === null
        ? `an address of the provider's own network`
        : `but the internet sees ${observed}`
    const reason = `Your router has ${outer}, ${detail}. No router setting helps: ${advice}`
    return say('Your provider shares one internet address among customers.', reason, ['tunnel'])
  },
  two_routers: (view) => {
    const outer = view.outer_address === null ? '' : `, ${view.outer_address},`
    const reason =
      `The outer address of your router${outer} is private. Open the port on the second router ` +
      'too, or switch one of them to bridge mode.'
    return say('There is a second router between yours and the internet.', reason, openByHand(view))
  },
  blocked: (view) => {
    const reason =
      `A firewall on this computer or your provider blocks port ${portOf(view)}. Allow Slipway ` +
      'in the firewall, or try another port.'
    return say('The port is open, but connections from outside do not arrive.', reason, [
      'other_port',
      'tunnel',
    ])
  },
  offline: () => say('This computer has no network.', 'Slipway tries again when it has one.'),
  certificate_failed: ({ proof, certificate, problem }) => {
    const line =
      proof === null
        ? 'The port is open, but people cannot sign in.'
        : 'People can reach this host, but they cannot sign in.'
    const answer = quote('The certificate authority', certificate?.problem ?? problem)
    const reason =
      'There is no certificate, so the connection is not encrypted. Only public pages and ' +
      `downloads work. ${answer}`
    return say(line, reason, ['retry'])
  },
  tunnel_open: ({ tunnel, url }) => {
    const forwards = tunnel
      ? `${tunnel.server} forwards port ${tunnel.remote_port} to this computer.`
      : ''
    return say(
      'Anyone can reach this host through your server.',
      url?.startsWith('http:') ? NO_CERTIFICATE : forwards,
    )
  },
  tunnel_waiting: ({ tunnel, problem }) => {
    const reason = `Slipway keeps trying. ${quote(tunnel?.server ?? 'The connection', problem)}`
    return say('Your server does not answer.', reason, ['retry', 'change_server'])
  },
  tunnel_failed: ({ tunnel, problem }) =>
    tunnelProblems[tunnel?.problem ?? 'unreachable'](tunnel?.server ?? 'your server', problem),
}

const blockerTexts: Record<InternetView['blockers'][number], string> = {
  in_cluster: ONE_OF_SEVERAL,
  no_rate_limits: 'This host runs without rate limits. Restart it without --no-rate-limits first.',
  no_host_account:
    'Create the host account first. Otherwise the first visitor could become the host.',
}

type TunnelProblem = NonNullable<NonNullable<InternetView['tunnel']>['problem']>

const tunnelProblems: Record<
  TunnelProblem,
  (server: string, problem: string | null) => InternetTexts
> = {
  unreachable: (server, problem) =>
    say('The tunnel does not work.', quote(server, problem), ['retry', 'change_server']),
  key_refused: (server) => {
    const reason = `Add the line with the key to authorized_keys on ${server}.`
    return say('Your server does not accept the key of this computer.', reason, ['key'])
  },
  fingerprint_unknown: (server) => {
    const reason = `Compare the fingerprint of ${server} once. Nothing was sent.`
    return say('Confirm that this is your server.', reason, ['fingerprint'])
  },
  fingerprint_changed: (server) => {
    const reason =
      `Someone may intercept the connection, or ${server} was reinstalled. ` + 'Nothing was sent.'
    return say('The key of your server changed. Slipway stopped.', reason, ['fingerprint'])
  },
  forwarding_refused: (server, problem) => {
    const answer =
      quote(server, problem) || `The SSH server on ${server} refuses to forward the port.`
    const reason = `${answer} Set AllowTcpForwarding yes in its sshd_config.`
    return say('Your server does not allow forwarding.', reason, ['server_settings'])
  },
  loopback_only: (server) => {
    const reason =
      'Set GatewayPorts clientspecified in its sshd_config, then restart its SSH server. If it ' +
      `is set, a firewall blocks the port: allow it on ${server}.`
    return say('Connections from outside do not arrive through your server.', reason, [
      'server_settings',
    ])
  },
}

const quote = (party: string, words: string | null) =>
  words === null ? '' : `${party} answered: “${words}”.`

/** The first connection proves a port that was opened by hand. */
const openByHand = ({ url }: InternetView): Remedy[] =>
  url === null ? ['router', 'tunnel'] : ['router', 'phone', 'tunnel']
