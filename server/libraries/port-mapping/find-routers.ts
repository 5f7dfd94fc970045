import { isIPv6 } from 'node:net'
import { describeIgd } from './upnp/igd-description'
import { IgdRouter } from './upnp/igd'
import { NatPmpRouter } from './port-control/nat-pmp'
import { PcpRouter } from './port-control/pcp'
import { IgdPinholes } from './upnp/pinholes'
import {
  ROUTER_CONTACT,
  type LanPlace,
  type Mapping,
  type Router,
  type RouterContact,
} from './router'
import { searchRouter } from './upnp/ssdp'

/** Timeout for reading descriptions, in ms. */
const DESCRIPTION_MS = 800

/**
 * Finds the protocols that the router of this network supports, best first. Asks only this router,
 * by all protocols in parallel. Takes at most 2.7 s.
 */
export async function findRouters(
  at: LanPlace,
  signal: AbortSignal,
  contact = ROUTER_CONTACT,
): Promise<Router[]> {
  const pcp = new PcpRouter(at, contact)
  const natPmp = new NatPmpRouter(at, contact)

  const [hasPcp, hasNatPmp, igd] = await Promise.all([
    pcp.answers(),
    natPmp.answers(),
    findIgd(at, signal, contact),
  ])

  signal.throwIfAborted()
  return [...(hasPcp ? [pcp] : []), ...(hasNatPmp ? [natPmp] : []), ...(igd ? [igd] : [])]
}

/**
 * The ways to let visitors through the IPv6 firewall of the router to a global address of this
 * computer (`at.own`), the best one first. `routers` are those that `findRouters` found.
 */
export async function findPinholes(
  at: LanPlace,
  routers: readonly Router[],
  signal: AbortSignal,
  contact = ROUTER_CONTACT,
): Promise<Router[]> {
  const pcp = new PcpRouter(at, contact)
  const igd = routers.find((router) => router instanceof IgdRouter)

  const [hasPcp, description] = await Promise.all([
    pcp.answers(),
    igd?.describe().catch(() => undefined),
  ])
  signal.throwIfAborted()

  const upnp =
    igd && description?.pinholes ? [new IgdPinholes(at, igd.location, description.pinholes)] : []
  // miniupnpd 2.3 forgets the nonce of a pinhole that PCP renews, and then refuses to remove it.
  return [...upnp, ...(hasPcp ? [pcp] : [])]
}

/** The router that granted a mapping or pinhole, without a search. */
export function createRouter(mapping: Mapping, contact = ROUTER_CONTACT): Router {
  const at = { gateway: mapping.router, own: mapping.client }
  if (mapping.protocol === 'pcp') return new PcpRouter(at, contact)
  if (mapping.protocol === 'nat-pmp' || mapping.location === null)
    return new NatPmpRouter(at, contact)
  const location = new URL(mapping.location)
  return isIPv6(mapping.client) ? new IgdPinholes(at, location) : new IgdRouter(at, location)
}

/** The first device at the router's address that opens ports. */
async function findIgd(
  at: LanPlace,
  signal: AbortSignal,
  contact: RouterContact,
): Promise<IgdRouter | undefined> {
  const controller = new AbortController()
  const stop = AbortSignal.any([signal, controller.signal, AbortSignal.timeout(contact.searchMs)])

  let igd: IgdRouter | undefined
  const reading: Promise<void>[] = []

  const onLocation = (location: URL) => {
    const read = describeIgd({ location, from: at.own, patienceMs: DESCRIPTION_MS, signal }).then(
      (description) => {
        igd ??= new IgdRouter(at, location, description)
        controller.abort()
      },
      () => undefined,
    )
    reading.push(read)
  }

  await searchRouter(at, contact, onLocation, stop)
  if (!igd) await Promise.all(reading)
  return igd
}
