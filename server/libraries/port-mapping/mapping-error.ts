import type { RouterProtocol } from './router'

export type MappingFailure =
  | 'port_taken'
  | 'refused'
  | 'no_network'
  | 'no_room'
  | 'unsupported'
  | 'silent'

/** Why a router opens no port. The message is for people, with the code of the protocol. */
export class MappingError extends Error {
  override readonly name = 'MappingError'

  constructor(
    readonly reason: MappingFailure,
    message: string,
    /** The result code of the protocol, or null if there is none. */
    readonly code: number | null = null,
    /** The address of the device that has the port; null: unknown. */
    readonly holder: string | null = null,
  ) {
    super(message)
  }
}

type Codes = Readonly<Record<number, readonly [MappingFailure, string]>>

/** RFC 6887 §7.4. */
const PCP: Codes = {
  1: ['unsupported', 'The router does not support this version of PCP'],
  2: ['refused', 'The router does not allow this'],
  3: ['unsupported', 'The router does not understand the request'],
  4: ['unsupported', 'The router does not support this request'],
  5: ['unsupported', 'The router does not support this option'],
  6: ['unsupported', 'The router does not understand this option'],
  7: ['no_network', 'The router has no connection to the internet'],
  8: ['no_room', 'The router has no free ports or no public address'],
  9: ['unsupported', 'The router does not support TCP'],
  10: ['no_room', 'The router opens no more ports for this computer'],
  11: ['port_taken', 'The router cannot provide this port'],
  12: ['refused', 'Another router translates the address of this computer'],
  13: ['refused', 'The router does not allow this'],
}

/** RFC 6886 §3.5. */
const NAT_PMP: Codes = {
  1: ['unsupported', 'The router does not support this version of NAT-PMP'],
  2: ['refused', 'The router does not allow this'],
  3: ['no_network', 'The router has no connection to the internet'],
  4: ['no_room', 'The router has no free ports'],
  5: ['unsupported', 'The router does not support this request'],
}

/**
 * WANIPConnection:2 §2.5, WANIPv6FirewallControl:1 §2.5 (7xx below 710), and UPnP Device
 * Architecture §3.2.2.
 */
const UPNP: Codes = {
  401: ['unsupported', 'The router does not support this request'],
  402: ['refused', 'The router does not accept these values'],
  501: ['refused', 'The router could not open the port'],
  602: ['unsupported', 'The router does not support this request'],
  606: ['refused', 'The router does not allow this'],
  701: ['no_room', 'The router opens no more pinholes'],
  703: ['refused', 'The router does not allow pinholes'],
  705: ['unsupported', 'The router does not support TCP'],
  715: ['refused', 'The router opens ports only to a single visitor'],
  716: ['refused', 'The router does not accept this port'],
  718: ['port_taken', 'Another device has this port'],
  724: ['unsupported', 'The router opens only the port at which this computer listens'],
  725: ['unsupported', 'The router opens ports only permanently'],
  726: ['refused', 'The router opens ports to all visitors only'],
  727: ['refused', 'The router opens only all ports at once'],
  728: ['no_room', 'The router has no room for more ports'],
  729: ['port_taken', 'The router uses this port itself'],
}

const TABLES: Readonly<Record<RouterProtocol, Codes>> = { pcp: PCP, 'nat-pmp': NAT_PMP, upnp: UPNP }

/** The error for a result code. An unknown one counts as refused. */
export function toMappingError(
  protocol: RouterProtocol,
  code: number,
  holder: string | null = null,
): MappingError {
  const [reason, words] =
    TABLES[protocol][code] ?? (['refused', 'The router could not open the port'] as const)
  return new MappingError(reason, `${words} (${code})`, code, holder)
}

/** The error where the router gave another port than the wanted one. */
export const otherPortGiven = (external: number): MappingError =>
  new MappingError(
    'port_taken',
    `The router does not give port ${external}; another device may have it`,
  )

/** UPnP routers allow at most this (WANIPConnection:2 §2.3.16); longer ones overflow timers. */
const MAX_LIFETIME_S = 604_800

/** Returns the lifetime that a router granted, in seconds. Throws if that is zero. */
export function limitLifetime(grantedS: number): number {
  if (grantedS === 0) throw new MappingError('refused', 'The router closes the port at once')
  return Math.min(grantedS, MAX_LIFETIME_S)
}
