import type { InternetView } from '../../contract'
import type { Refusal } from './lease/lease'

/** The name of the situation on the Host page. */
export type InternetState = InternetView['state']

/** The router's public address. */
interface OuterAddress {
  address: string
  /**
   * The kind of a private, shared (RFC 6598) or otherwise unroutable address. Undefined: public.
   */
  special: 'private' | 'shared' | 'other' | undefined
}

/** All facts about the connection from the internet to this computer. */
export interface Facts {
  /** The choice of the host account. */
  way: 'off' | 'router' | 'tunnel'
  /** What a person started and waits for. */
  busy: 'checking' | 'opening' | null
  hasNetwork: boolean
  /**
   * Whether a VPN has the default route: the observed address is then the VPN's, and proves
   * nothing.
   */
  hasVpn: boolean
  /** How many protocols the router answered. Undefined: not asked. */
  answers: number | undefined
  /** Whether the router with our mapping no longer answers. */
  isSilent: boolean
  /** Null if the router has or reports none. Undefined: not asked. */
  outer: OuterAddress | null | undefined
  refusal: Refusal | null
  /** The address that a STUN server observed. Null if not asked, or without an answer. */
  observed: string | null
  /** Whether a pinhole leads to a global IPv6 address of this computer. */
  hasPinhole: boolean
  wantedPort: number
  certificate: 'none' | 'valid' | { isConnection: boolean; words: string }
  /** The protocol over which a connection from outside was seen, or null. */
  proof: 'ipv4' | 'ipv6' | null
  tunnel: { kind: 'connecting' | 'open' | 'waiting' | 'failed'; words: string | null } | null
}

/** The verdict from the facts: the state, and what its lines and button need. */
export interface Verdict {
  state: InternetState
  /** The device that has the port. Null if the port is free, or the device unknown. */
  holder: string | null
  /** A port to use instead of a taken or blocked one. */
  otherPort: number | null
  /** The other party's message. */
  problem: string | null
}

/** Proposed instead of 443: the host's port in the local network. */
const OTHER_PORT = 4780

/** Judges the facts. Reads nothing else, so a table of facts tests it. */
export function verdictOf(facts: Facts): Verdict {
  const state = stateOf(facts)
  const isAboutPort = state === 'port_taken' || state === 'blocked'
  return {
    state,
    holder: state === 'port_taken' ? (facts.refusal?.holder ?? null) : null,
    otherPort: isAboutPort ? (facts.wantedPort === OTHER_PORT ? 443 : OTHER_PORT) : null,
    problem: describeProblem(facts, state),
  }
}

/** Whether a mapping can work in this state, perhaps after a change of another device. */
export const isMappingOfUse = (state: InternetState): boolean =>
  state !== 'shared_address' && state !== 'port_taken'

function stateOf(facts: Facts): InternetState {
  if (facts.busy !== null) return facts.busy
  if (facts.way === 'tunnel') return tunnelState(facts.tunnel)
  if (!facts.hasNetwork) return 'offline'
  const state = routerState(facts)
  // Before anything was opened, only reasons against opening are of interest.
  if (facts.way === 'off') return hinders(state) ? state : 'off'
  return state
}

const hinders = (state: InternetState) =>
  ['no_router_help', 'shared_address', 'two_routers'].includes(state)

function tunnelState(tunnel: Facts['tunnel']): InternetState {
  if (tunnel?.kind === 'open') return 'tunnel_open'
  if (tunnel?.kind === 'waiting') return 'tunnel_waiting'
  return tunnel?.kind === 'failed' ? 'tunnel_failed' : 'opening'
}

function routerState(facts: Facts): InternetState {
  const { proof, certificate } = facts
  const reason = reasonAgainst(facts)
  const hasNoIpv4 = reason === 'shared_address' || reason === 'offline'

  if (proof === 'ipv6' && hasNoIpv4) return 'ipv6_only'
  // A connection from outside outweighs all assumptions about routers and addresses.
  if (proof !== null) return certificate === 'valid' ? 'open' : 'certificate_failed'

  if (facts.isSilent) return 'unproven'
  if (reason !== undefined) return hasNoIpv4 && facts.hasPinhole ? 'ipv6_only' : reason
  if (typeof certificate === 'string') return 'unproven'
  return certificate.isConnection ? 'blocked' : 'certificate_failed'
}

/** Returns why people cannot connect over IPv4, or undefined. */
function reasonAgainst(facts: Facts): InternetState | undefined {
  const { answers, outer, refusal } = facts
  if (isShared(facts)) return 'shared_address'
  if (refusal?.reason === 'port_taken') return 'port_taken'
  if (outer?.special === 'private') return 'two_routers'
  if (answers === 0 || refusal?.reason === 'unsupported' || refusal?.reason === 'silent')
    return 'no_router_help'
  if (refusal?.reason === 'refused' || refusal?.reason === 'no_room') return 'router_refuses'
  return refusal?.reason === 'no_network' || hasNoAddress(facts) ? 'offline' : undefined
}

/**
 * Whether the provider shares one address among customers: the router reports that, or the internet
 * sees another address.
 */
function isShared(facts: Facts): boolean {
  const { outer, observed, hasVpn, refusal } = facts
  if (outer?.special === 'shared') return true
  if (observed === null || hasVpn || outer?.special === 'private') return false
  if (outer && outer.special === undefined) return outer.address !== observed
  // The internet answers, but the router has no address there.
  return refusal?.reason === 'no_network' || hasNoAddress(facts)
}

/** Whether a router that answers has no public address, for example 0.0.0.0. */
const hasNoAddress = ({ answers, outer, way }: Facts): boolean =>
  way === 'router' &&
  answers !== undefined &&
  answers > 0 &&
  (outer === null || outer?.special === 'other')

function describeProblem(
  { refusal, certificate, tunnel }: Facts,
  state: InternetState,
): string | null {
  if (state.startsWith('tunnel_')) return tunnel?.words ?? null

  if (state === 'blocked' || state === 'certificate_failed')
    return typeof certificate === 'string' ? null : certificate.words

  const isAboutRouter = ['router_refuses', 'port_taken', 'no_router_help', 'offline'].includes(
    state,
  )

  return isAboutRouter ? (refusal?.words ?? null) : null
}
