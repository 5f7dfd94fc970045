/**
 * Protocols by which home routers open ports: RFC 6887, RFC 6886, and UPnP Internet Gateway Device
 * 1 and 2.
 */
export type RouterProtocol = 'pcp' | 'nat-pmp' | 'upnp'

/** Where this computer is in its network: the router's address, and its own toward the router. */
export interface LanPlace {
  gateway: string
  own: string
}

/** A TCP port that the router should lead to this computer. */
export interface MappingRequest {
  /** This computer's address. */
  client: string
  port: number
  /** The router's port. It is never 0, which some routers read as all ports. */
  external: number
  /** How long the router keeps it without renewal. */
  lifetimeS: number
  /** Of the mapping to renew: without it the router refuses, or opens a second pinhole. */
  nonce?: string | null
}

/** A port that the router leads to this computer. Plain data: `reach.json` stores it. */
export interface Mapping {
  protocol: RouterProtocol
  router: string
  client: string
  port: number
  external: number
  /** The lifetime that the router granted; 0 if the mapping is permanent. */
  lifetimeS: number
  /** The router keeps it until it is removed. */
  permanent: boolean
  /** Seconds since the router has started, as it said with the mapping; null: UPnP does not say. */
  epoch: number | null
  /**
   * The key for renewal and removal: 12 bytes in hexadecimal (PCP), or the number of a pinhole
   * (UPnP, IPv6).
   */
  nonce: string | null
  /** UPnP: the URL of the router's description. */
  location: string | null
}

/** A protocol of a router. Its calls throw MappingError. */
export interface Router {
  readonly protocol: RouterProtocol
  readonly address: string
  /** How the router calls itself; null: this protocol does not say. */
  readonly name: string | null
  /**
   * The address at which the internet reaches it, also a private one; undefined: it does not know.
   */
  outerAddress(): Promise<string | undefined>
  /**
   * How long the router has had its mappings, in seconds: since it started, or 0 if it no longer
   * has this one. Undefined: it does not answer, or does not say.
   */
  age(mapping: Mapping): Promise<number | undefined>
  /**
   * The mapping that `map` asks for, before the router answers: enough to remove it if the answer
   * is lost.
   */
  plan(request: MappingRequest): Mapping
  /**
   * Opens or renews. Never takes another device's port, and gives a port back that differs from the
   * wanted one.
   */
  map(request: MappingRequest): Promise<Mapping>
  /** Closes it. Succeeds if it no longer exists, and leaves a mapping of another device alone. */
  unmap(mapping: Mapping): Promise<void>
}

/** What every protocol knows of a mapping before the router answers. */
export function planMapping({ protocol, address }: Router, request: MappingRequest): Mapping {
  const { client, port, external, lifetimeS } = request
  const unknown = { permanent: false, epoch: null, nonce: null, location: null }
  return { protocol, router: address, client, port, external, lifetimeS, ...unknown }
}

/** Where routers listen, and how long to wait for them, in ms. Tests replace both. */
export interface RouterContact {
  /** The port of PCP and NAT-PMP. */
  control: number
  /** Where SSDP asks. */
  discovery: { address: string; port: number }
  /** After each question of PCP and NAT-PMP. The router is silent after the last one. */
  waitsMs: readonly number[]
  /**
   * When SSDP asks, since packets get lost, and when it stops listening: routers may wait for a
   * second.
   */
  searchAtMs: readonly number[]
  searchMs: number
}

/**
 * RFC 6886 §3.1 doubles 250 ms nine times, which takes a minute. A router on the same network
 * answers sooner.
 */
export const ROUTER_CONTACT: RouterContact = {
  control: 5351,
  discovery: { address: '239.255.255.250', port: 1900 },
  waitsMs: [250, 500, 1000],
  searchAtMs: [0, 500, 1000],
  searchMs: 1900,
}
