/**
 * Protocols by which home routers open ports: RFC 6887, RFC 6886, and UPnP Internet Gateway Device
 * 1 and 2.
 */
export type RouterProtocol = 'pcp' | 'nat-pmp' | 'upnp'

/**
 * Position of this computer in its network: the router's address, and its own address toward the
 * router.
 */
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
  /** Nonce of the mapping to renew. Without it the router refuses, or opens a second pinhole. */
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
  /** Seconds since the start of the router, as reported with the mapping. Null for UPnP. */
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
  /** Name of the router. Null if the protocol does not report it. */
  readonly name: string | null
  /**
   * Address of the router on the internet side, which may be private. Returns undefined if it is
   * unknown.
   */
  outerAddress(): Promise<string | undefined>
  /**
   * Age of the router's mapping table in seconds: the time since its start, or 0 if it lost this
   * mapping. Returns undefined if the router does not answer or report it.
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

/** The part of a mapping that is known before the router answers. */
export function planMapping({ protocol, address }: Router, request: MappingRequest): Mapping {
  const { client, port, external, lifetimeS } = request
  const unknown = { permanent: false, epoch: null, nonce: null, location: null }
  return { protocol, router: address, client, port, external, lifetimeS, ...unknown }
}

/** Addresses of routers, and timeouts in ms. Tests replace both. */
export interface RouterContact {
  /** The port of PCP and NAT-PMP. */
  control: number
  /** SSDP multicast address. */
  discovery: { address: string; port: number }
  /** After each question of PCP and NAT-PMP. The router is silent after the last one. */
  waitsMs: readonly number[]
  /**
   * Times at which SSDP searches, repeated because packets get lost, and when it stops listening.
   * Routers may take a second.
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
