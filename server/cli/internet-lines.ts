import type { InternetView } from '../contract'
import type { MappingUntil } from '../features/internet/lease/kept-mapping'
import { formatTime } from './format-time'

/** What a terminal says about reaching this host from the internet. */
interface Said {
  /** One sentence: whether people outside can reach this host. */
  line: string
  /** What to do; empty: nothing. */
  advice: string
}

/** The sentences of a state, for a terminal. */
export const said = (view: InternetView): Said => sentences[view.state](view)

/** What a router still keeps open for a host that does not run. */
export function leftLines(left: readonly MappingUntil[], now = new Date()): string[] {
  const lines = left.flatMap(({ router, external, until }) => {
    if (until !== null && new Date(until) <= now) return []
    const end = until === null ? 'its next start' : `${formatTime(until, now)}, or until its next start`
    return [`The router ${router} still keeps port ${external} open for this host until ${end}.`]
  })
  return [...new Set(lines)]
}

const TUNNEL = 'Or use a server of yours: --tunnel USER@SERVER.'

const at = ({ url }: InternetView) => (url === null ? '.' : ` at ${url}`)

const reached = (view: InternetView): Said => ({ line: `Anyone can reach this host${at(view)}`, advice: '' })

const sentences: Record<InternetView['state'], (view: InternetView) => Said> = {
  off: (view) => ({ line: 'This host is not open to the internet.', advice: adviceWhileOff(view) }),
  checking: () => ({ line: 'Checking how people can reach this host.', advice: '' }),
  opening: () => ({ line: 'Opening this host to the internet.', advice: '' }),
  open: reached,
  tunnel_open: reached,
  unproven: ({ url, router }) => ({
    line: router?.is_silent
      ? 'The router no longer answers; it may not lead people here.'
      : `The port is open, but not tested from outside yet${url === null ? '.' : `: ${url}`}`,
    advice: url === null ? '' : `Open ${url} with a phone off Wi-Fi.`,
  }),
  ipv6_only: (view) => ({ line: `Only people with IPv6 can reach this host${at(view)}`, advice: TUNNEL }),
  no_router_help: (view) => ({ line: 'The router does not open ports automatically.', advice: manually(view) }),
  router_refuses: (view) => ({ line: `The router refused to open the port.${quoted(view)}`, advice: manually(view) }),
  port_taken: (view) => {
    const { router } = view
    const holder = router?.holder ?? ''
    const other = `choose another port, such as --internet-port ${view.other_port ?? 4780}.`
    if (!router?.holder_is_former) {
      const line = `Another device uses port ${portOf(view)}${holder === '' ? '' : `: ${holder}`}.`
      return { line, advice: sentence(other) }
    }
    const line = `The router still sends port ${portOf(view)} to a former address of this computer: ${holder}.`
    const { holder_until: until } = router
    const wait = until === null ? 'The router frees it soon' : `It does so until ${formatTime(until)}`
    return { line, advice: `${wait}, then Slipway opens it again by itself. Or ${other}` }
  },
  shared_address: sharedAddress,
  two_routers: (view) => ({
    line: `There is a second router between this one and the internet: its address ${view.outer_address ?? ''} is private.`,
    advice: `Open port ${portOf(view)} on the second router too, or switch one of them to bridge mode.`,
  }),
  blocked: (view) => ({
    line: `Port ${portOf(view)} is open, but connections from outside do not arrive.${quoted(view)}`,
    advice: `Allow Slipway in the firewall of this computer, or choose another port, such as --internet-port ${view.other_port ?? 4780}.`,
  }),
  offline: () => ({ line: 'This computer has no network.', advice: 'Slipway tries again when it has one.' }),
  certificate_failed: ({ certificate, problem, proof }) => ({
    line:
      proof === null
        ? 'The port is open, but there is no certificate, so people cannot sign in.'
        : 'People can reach this host, but there is no certificate, so they cannot sign in.',
    advice: quotedBy('The certificate authority', certificate?.problem ?? problem),
  }),
  tunnel_waiting: (view) => ({
    line: `${serverOf(view)} does not answer. Slipway keeps trying.`,
    advice: view.problem ?? '',
  }),
  tunnel_failed: tunnelFailed,
}

const quotedBy = (party: string, words: string | null) => (words === null ? '' : `${party} answered: “${words}”.`)
const quoted = ({ problem }: InternetView) => (problem === null ? '' : ` ${quotedBy('It', problem)}`)
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const portOf = ({ external_port: port }: InternetView) => port ?? 443
const serverOf = ({ tunnel }: InternetView) => tunnel?.server ?? 'Your server'

function adviceWhileOff({ blockers }: InternetView): string {
  if (blockers.includes('no_host_account')) return 'Create the host account first.'
  if (blockers.includes('no_rate_limits')) return 'Start the host without --no-rate-limits first.'
  return 'Open it on the Host page, or start with --share internet --accept-terms.'
}

/** A router that names no outer address may be behind another one at home. */
function sharedAddress({ outer_address: outer }: InternetView): Said {
  return outer === null
    ? {
        line: 'Another router or the provider stands between this router and the internet.',
        advice: `If you have two routers, switch the first one to bridge mode. Otherwise ask the provider for a public IPv4 address. ${TUNNEL}`,
      }
    : {
        line: 'The provider shares one internet address among customers.',
        advice: `No router setting helps. Ask the provider for a public IPv4 address. ${TUNNEL}`,
      }
}

function manually(view: InternetView): string {
  const { router, local } = view
  const where = router === null ? 'the router' : `the router (http://${router.address})`
  const target =
    local.address === null ? 'this computer' : `${local.address}${local.port === null ? '' : ` port ${local.port}`}`
  return `Turn on PCP, NAT-PMP or UPnP in ${where}, or forward TCP port ${portOf(view)} to ${target} there. ${TUNNEL}`
}

function tunnelFailed(view: InternetView): Said {
  const { tunnel, problem } = view
  const server = serverOf(view)
  switch (tunnel?.problem) {
    case 'key_refused':
      return {
        line: `${server} does not accept the key of this computer.`,
        advice: `Add this line to authorized_keys there:\n${tunnel.authorized_key}`,
      }
    case 'fingerprint_unknown':
      return {
        line: `Confirm that ${server} is your server. Nothing was sent.`,
        advice: `Compare its key, then start with --tunnel-fingerprint ${tunnel.fingerprint ?? 'SHA256:…'}`,
      }
    case 'fingerprint_changed':
      return {
        line: `The key of ${server} changed, so Slipway stopped. Nothing was sent.`,
        advice: `If you reinstalled it, start with --tunnel-fingerprint ${tunnel.fingerprint ?? 'SHA256:…'}`,
      }
    case 'forwarding_refused':
      return {
        line: `${server} does not allow forwarding.`,
        advice: `Allow port ${tunnel.remote_port} for this key in its sshd_config: AllowTcpForwarding yes.`,
      }
    case 'loopback_only':
      return {
        line: `Connections from outside do not arrive through ${server}.`,
        advice: `Set GatewayPorts clientspecified in its sshd_config, then restart its SSH server. If it is set, allow port ${tunnel.remote_port} in its firewall.`,
      }
    default:
      return { line: `The tunnel through ${server} does not work.`, advice: problem ?? '' }
  }
}
