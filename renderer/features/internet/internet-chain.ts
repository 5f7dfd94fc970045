import type { InternetView } from '../../../server/contract'

export type LinkState = 'works' | 'broken' | 'untested' | 'ipv6'

export interface ChainNode {
  name: 'This computer' | 'Router' | 'Your server' | 'Internet'
  detail: string
}

export interface Chain {
  nodes: readonly [ChainNode, ChainNode, ChainNode]
  links: readonly [LinkState, LinkState]
}

const links = {
  first: ['broken', 'untested'],
  second: ['works', 'broken'],
  none: ['works', 'works'],
  unknown: ['untested', 'untested'],
  untested: ['works', 'untested'],
  ipv6: ['works', 'ipv6'],
} as const

const places: Record<InternetView['state'], keyof typeof links> = {
  off: 'unknown',
  checking: 'unknown',
  opening: 'unknown',
  open: 'none',
  unproven: 'untested',
  ipv6_only: 'ipv6',
  no_router_help: 'first',
  router_refuses: 'first',
  port_taken: 'first',
  shared_address: 'second',
  two_routers: 'second',
  blocked: 'second',
  offline: 'first',
  certificate_failed: 'none',
  tunnel_open: 'none',
  tunnel_waiting: 'first',
  tunnel_failed: 'first',
}

/** The path from this computer to the internet, with its first broken link. */
export function chainOf(view: InternetView): Chain {
  const { local, observed_address: observed, url } = view
  const own =
    local.address === null ? '' : `${local.address}${local.port === null ? '' : `:${local.port}`}`
  const publicAddress = url === null ? (observed ?? '') : new URL(url).host

  return {
    nodes: [
      { name: 'This computer', detail: own },
      middleOf(view),
      { name: 'Internet', detail: publicAddress },
    ],
    links: linksOf(view),
  }
}

function middleOf({ way, tunnel, router, external_port: port }: InternetView): ChainNode {
  const atPort = port === null ? '' : `port ${port}`
  if (way === 'tunnel') return { name: 'Your server', detail: tunnel?.server ?? '' }
  const address = router?.name ?? router?.address ?? ''
  return { name: 'Router', detail: [address, atPort].filter((text) => text !== '').join(', ') }
}

function linksOf({ state, tunnel, proof }: InternetView): Chain['links'] {
  if (state === 'certificate_failed' && proof === null) return links.untested
  const isForwarding =
    tunnel?.problem === 'forwarding_refused' || tunnel?.problem === 'loopback_only'
  return links[state === 'tunnel_failed' && isForwarding ? 'second' : places[state]]
}
