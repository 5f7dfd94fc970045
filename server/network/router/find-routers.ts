import { isIPv6 } from 'node:net'
import { describeIgd } from './upnp/igd-description'
import { IgdRouter } from './upnp/igd'
import { NatPmpRouter } from './port-control/nat-pmp'
import { PcpRouter } from './port-control/pcp'
import { IgdPinholes } from './upnp/pinholes'
import { ROUTER_PORTS, type LanPlace, type Mapping, type Router, type RouterPorts } from './router'
import { searchRouter } from './upnp/ssdp'

/** How long to search by SSDP (routers may wait for a second), and to read descriptions, in ms. */
const SEARCH_MS = 1900
const DESCRIPTION_MS = 800

/**
 * The protocols that the router of this network answers, the best one first: asks all of them at once and only this
 * router. Takes at most 2.7 s.
 */
export async function findRouters(at: LanPlace, signal: AbortSignal, ports = ROUTER_PORTS): Promise<Router[]> {
  const pcp = new PcpRouter(at, ports.control)
  const natPmp = new NatPmpRouter(at, ports.control)
  const [hasPcp, hasNatPmp, igd] = await Promise.all([pcp.answers(), natPmp.answers(), findIgd(at, signal, ports)])
  signal.throwIfAborted()
  return [...(hasPcp ? [pcp] : []), ...(hasNatPmp ? [natPmp] : []), ...(igd ? [igd] : [])]
}

/**
 * The ways to let visitors through the IPv6 firewall of the router to a global address of this computer (`at.own`), the
 * best one first. `routers` are those that `findRouters` found.
 */
export async function findPinholes(
  at: LanPlace,
  routers: readonly Router[],
  signal: AbortSignal,
  ports = ROUTER_PORTS,
): Promise<Router[]> {
  const pcp = new PcpRouter(at, ports.control)
  const igd = routers.find((router) => router instanceof IgdRouter)
  const [hasPcp, description] = await Promise.all([pcp.answers(), igd?.describe().catch(() => undefined)])
  signal.throwIfAborted()
  const upnp = igd && description?.pinholes ? [new IgdPinholes(at, igd.location, description.pinholes)] : []
  // miniupnpd 2.3 forgets the nonce of a pinhole that PCP renews, and then refuses to remove it.
  return [...upnp, ...(hasPcp ? [pcp] : [])]
}

/** The router that granted a mapping or pinhole, without a search. */
export function routerOf(mapping: Mapping, ports = ROUTER_PORTS): Router {
  const at = { gateway: mapping.router, own: mapping.client }
  if (mapping.protocol === 'pcp') return new PcpRouter(at, ports.control)
  if (mapping.protocol === 'nat-pmp' || mapping.location === null) return new NatPmpRouter(at, ports.control)
  const location = new URL(mapping.location)
  return isIPv6(mapping.client) ? new IgdPinholes(at, location) : new IgdRouter(at, location)
}

/** The first device at the router's address that opens ports. */
async function findIgd(at: LanPlace, signal: AbortSignal, ports: RouterPorts): Promise<IgdRouter | undefined> {
  const found = new AbortController()
  const stop = AbortSignal.any([signal, found.signal, AbortSignal.timeout(SEARCH_MS)])
  let igd: IgdRouter | undefined
  const reading: Promise<void>[] = []
  const onLocation = (location: URL) => {
    const read = describeIgd({ location, from: at.own, patienceMs: DESCRIPTION_MS, signal }).then(
      (description) => {
        igd ??= new IgdRouter(at, location, description)
        found.abort()
      },
      () => undefined,
    )
    reading.push(read)
  }
  await searchRouter(at, ports, onLocation, stop)
  if (!igd) await Promise.all(reading)
  return igd
}
