import type { InternetView } from '../../../server/contract'
import { formatClock } from '../../lib/texts/format'
import { internetWords, portOf } from './internet-words'

/** What a button of the card does. */
export type Deed = 'start' | 'retry' | 'phone' | 'router' | 'tunnel' | 'other_port'

export interface Offer {
  deed: Deed
  label: string
}

interface Says {
  /** One sentence: whether people outside can reach this host. */
  line: string
  /** Why, and what to do. */
  reason: string
  /** Buttons; the first one is the main one. */
  offers: readonly Offer[]
}

const tunnelInstead: Offer = { deed: 'tunnel', label: 'Use a tunnel' }
const showRouter: Offer = { deed: 'router', label: 'Show router settings' }
const testByPhone: Offer = { deed: 'phone', label: 'Test with your phone' }
const tryAgain: Offer = { deed: 'retry', label: 'Try again' }
const otherPort = (verb: string, { other_port: port }: InternetView): Offer[] =>
  port === null ? [] : [{ deed: 'other_port', label: `${verb} port ${port}${verb === 'Use' ? ' instead' : ''}` }]

/** A port that was opened by hand is proved by the first connection. */
const phoneAt = ({ url }: InternetView): Offer[] => (url === null ? [] : [testByPhone])

/** The sentences and buttons of a state. `isShared`: other devices in the network reach the host. */
export function says(view: InternetView, isShared = true): Says {
  if (view.state === 'off') return whileOff(view, isShared)
  return view.way === 'off' ? beforeStart(view, isShared) : texts[view.state](view)
}

type Tunnel = NonNullable<InternetView['tunnel']>
type State = Exclude<InternetView['state'], 'off'>

const texts: Record<State, (view: InternetView) => Says> = {
  checking: () => ({
    line: 'Checking how people can reach this host…',
    reason: 'Slipway asks your router what it allows.',
    offers: [],
  }),
  opening: () => ({
    line: 'Opening this host to the internet…',
    reason: 'This takes a few seconds.',
    offers: [],
  }),
  open: (view) => ({
    line: 'Anyone can reach this host.',
    reason: '',
    offers: view.way === 'router' ? [testByPhone] : [],
  }),
  unproven: ({ has_vpn: hasVpn, router }) => {
    if (router?.is_silent) return silentRouter
    return {
      line: 'The port is open, but not tested from outside yet.',
      reason: `Most routers do not let devices at home use their public address, so this computer cannot test it.${hasVpn ? ' It uses a VPN, so it cannot find out either whether your provider shares one address among customers.' : ''}`,
      offers: [testByPhone],
    }
  },
  ipv6_only: () => ({
    line: 'Only people with IPv6 can reach this host.',
    reason: 'Your provider gives you no public IPv4 address. A tunnel reaches everyone.',
    offers: [tunnelInstead],
  }),
  no_router_help: (view) => ({
    line: 'Your router does not open ports automatically.',
    reason: 'It answers neither PCP, NAT-PMP nor UPnP. Turn one of them on in the router, or open the port by hand.',
    offers: [showRouter, ...phoneAt(view), tunnelInstead],
  }),
  router_refuses: (view) => ({
    line: 'Your router refused to open the port.',
    reason: view.problem === null ? 'It gave no reason.' : `It answered: “${view.problem}”.`,
    offers: [showRouter, ...phoneAt(view), tunnelInstead],
  }),
  port_taken: portTaken,
  shared_address: sharedAddress,
  two_routers: (view) => ({
    line: 'There is a second router between yours and the internet.',
    reason: `${outerOf(view)} is private. Open the port on the second router too, or switch one of them to bridge mode.`,
    offers: [showRouter, ...phoneAt(view), tunnelInstead],
  }),
  blocked: (view) => ({
    line: 'The port is open, but connections from outside do not arrive.',
    reason: `A firewall on this computer or your provider blocks port ${portOf(view)}. Allow Slipway in the firewall, or try another port.`,
    offers: [...otherPort('Try', view), tunnelInstead],
  }),
  offline: () => ({
    line: 'This computer has no network.',
    reason: 'Slipway tries again when it has one.',
    offers: [],
  }),
  certificate_failed: (view) => ({
    line:
      view.proof === null
        ? 'The port is open, but people cannot sign in.'
        : 'People can reach this host, but they cannot sign in.',
    reason: `There is no certificate, so the connection is not encrypted. Only public pages and downloads work. ${quoted('The certificate authority', view.certificate?.problem ?? view.problem)}`,
    offers: [tryAgain],
  }),
  tunnel_open: ({ tunnel, url }) => ({
    line: 'Anyone can reach this host through your server.',
    reason: url?.startsWith('http:') === true ? internetWords.noCertificate : forwards(tunnel),
    offers: [],
  }),
  tunnel_waiting: ({ tunnel, problem }) => ({
    line: 'Your server does not answer.',
    reason: `Slipway keeps trying. ${quoted(tunnel?.server ?? 'The connection', problem)}`,
    offers: [
      { deed: 'retry', label: 'Try now' },
      { deed: 'tunnel', label: 'Change server' },
    ],
  }),
  tunnel_failed: tunnelFailed,
}

const silentRouter: Says = {
  line: 'Your router no longer answers. It may not lead people here.',
  reason: 'Slipway keeps asking it. If a phone off Wi-Fi does not reach this host either, restart the router.',
  offers: [testByPhone],
}

function portTaken(view: InternetView): Says {
  const { router } = view
  const offers = [...otherPort('Use', view), tunnelInstead]
  if (router?.holder_is_former) {
    const { holder_until: until } = router
    const wait = `Your router ${until === null ? 'frees the port soon' : `keeps the port until ${formatClock(until)}`}`
    const reason = `${router.holder} was the address of this computer. ${wait}, then Slipway opens it again by itself.`
    return { line: `Your router keeps port ${portOf(view)} for a former address.`, reason, offers }
  }
  const reason = `Your router sends this port to ${router?.holder ?? 'another device'}. Slipway never takes a port from another device.`
  return { line: `Another device uses port ${portOf(view)}.`, reason, offers }
}

const START = 'Make links work anywhere'

function whileOff({ blockers, other_tunnels }: InternetView, isShared: boolean): Says {
  const line = offLine(isShared)
  const [blocker] = blockers
  if (blocker === 'no_rate_limits')
    return {
      line,
      reason: 'This host runs without rate limits. Restart it without --no-rate-limits first.',
      offers: [],
    }
  if (blocker === 'no_host_account')
    return {
      line,
      reason: 'Create the host account first. Otherwise the first visitor could become the host.',
      offers: [],
    }
  const reason = other_tunnels.length > 0 ? '' : 'Links that you copy do not work outside your network.'
  return { line, reason, offers: [{ deed: 'start', label: START }, tunnelInstead] }
}

/** What the router says before anything was opened. A person may still open the port by hand. */
function beforeStart(view: InternetView, isShared: boolean): Says {
  const { blockers, state } = view
  if (blockers.length > 0) return whileOff(view, isShared)
  if (state === 'checking') return { ...whileOff(view, isShared), reason: 'Slipway asks your router what it allows…' }
  const { line, reason } = texts[state as State](view)
  const byHand: Offer[] = state === 'shared_address' ? [] : [{ deed: 'start', label: 'Open the port by hand' }]
  return { line: offLine(isShared), reason: `${line} ${reason}`, offers: [...byHand, tunnelInstead] }
}

const offLine = (isShared: boolean) =>
  isShared ? 'Only your network can reach this host.' : 'Only this computer can reach this host.'

function tunnelFailed(view: InternetView): Says {
  const { tunnel, problem } = view
  const server = tunnel?.server ?? 'your server'
  if (tunnel?.problem === null || tunnel?.problem === undefined || tunnel.problem === 'unreachable') {
    const offers: Offer[] = [tryAgain, { deed: 'tunnel', label: 'Change server' }]
    return { line: 'The tunnel does not work.', reason: quoted(server, problem), offers }
  }
  const { line, reason, button } = atServer[tunnel.problem]
  return { line, reason: reason(server, problem), offers: [{ deed: 'tunnel', label: button }] }
}

interface AtServer {
  line: string
  reason: (server: string, problem: string | null) => string
  button: string
}

/** What a person has to do at the server of a tunnel. */
const atServer: Record<Exclude<NonNullable<Tunnel['problem']>, 'unreachable'>, AtServer> = {
  key_refused: {
    line: 'Your server does not accept the key of this computer.',
    reason: (server) => `Add the line with the key to authorized_keys on ${server}.`,
    button: 'Show key',
  },
  fingerprint_unknown: {
    line: 'Confirm that this is your server.',
    reason: (server) => `Compare the fingerprint of ${server} once. Nothing was sent.`,
    button: 'Compare fingerprints',
  },
  fingerprint_changed: {
    line: 'The key of your server changed. Slipway stopped.',
    reason: (server) => `Someone may intercept the connection, or ${server} was reinstalled. Nothing was sent.`,
    button: 'Compare fingerprints',
  },
  forwarding_refused: {
    line: 'Your server does not allow forwarding.',
    reason: (server, problem) =>
      problem === null ? `The SSH server on ${server} refuses to forward the port.` : quoted(server, problem),
    button: 'Show server settings',
  },
  loopback_only: {
    line: 'Connections from outside do not arrive through your server.',
    reason: (server) =>
      `Set GatewayPorts clientspecified in its sshd_config, then restart its SSH server. If it is set, a firewall blocks the port: allow it on ${server}.`,
    button: 'Show server settings',
  },
}

const outerOf = ({ outer_address: address }: InternetView) =>
  address === null ? 'The outer address of your router' : `The outer address of your router, ${address},`

const forwards = (tunnel: InternetView['tunnel']) =>
  tunnel === null ? '' : `${tunnel.server} forwards port ${tunnel.remote_port} to this computer.`

const quoted = (party: string, words: string | null) => (words === null ? '' : `${party} answered: “${words}”.`)

/** A router that names no outer address may be behind another one at home. */
function sharedAddress({ outer_address: outer, observed_address: observed }: InternetView): Says {
  const offers = [tunnelInstead]
  if (outer === null) {
    const line = 'Another router or your provider stands between yours and the internet.'
    const reason =
      'If you have two routers, switch the first one to bridge mode. Otherwise ask your provider for a public IPv4 address, or use a tunnel.'
    return { line, reason, offers }
  }
  const seen = observed === null ? `an address of the provider's own network` : `but the internet sees ${observed}`
  return {
    line: 'Your provider shares one internet address among customers.',
    reason: `Your router has ${outer}, ${seen}. No router setting helps. Ask your provider for a public IPv4 address, or use a tunnel.`,
    offers,
  }
}
