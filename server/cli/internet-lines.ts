import type { InternetView } from '../contract'
import type { MappingUntil } from '../features/internet/lease/kept-mapping'
import { internetTexts, portOf, type Remedy } from '../texts/host/internet-texts'
import { formatTime } from './format-time'

const OFF_LINE = 'This host is not open to the internet.'

/**
 * The text of a state for a terminal: whether and where people outside reach this host, then reason
 * and advice.
 */
export function internetLines(view: InternetView): string[] {
  const { line, reason, remedies } = internetTexts(view, { timeOf: formatTime, offLine: OFF_LINE })
  const isReached = ['open', 'tunnel_open', 'ipv6_only'].includes(view.state) && view.url !== null
  const advice = [reason, ...remedies.map((remedy) => hints[remedy](view))]
    .filter((text) => text !== '')
    .join(' ')
  return [isReached ? `${line.slice(0, -1)} at ${view.url}` : line, advice].filter(
    (text) => text !== '',
  )
}

const none = () => ''

/** Advice for terminals, without the page. */
const hints: Record<Remedy, (view: InternetView) => string> = {
  start: () => 'Open it on the Host page, or start with --share internet --accept-terms.',
  by_hand: forwardByHand,
  retry: none,
  phone: ({ state, url }) =>
    state === 'open' || url === null ? '' : `Open ${url} with a phone off Wi-Fi.`,
  router: forwardByHand,
  other_port: ({ other_port: port }) =>
    `To use another port, start with --internet-port ${port ?? 4780}.`,
  tunnel: () => 'To use a server of yours, start with --tunnel USER@SERVER.',
  change_server: none,
  key: ({ tunnel }) => `It is:\n${tunnel?.authorized_key}`,
  fingerprint: ({ tunnel }) =>
    `If it is right, start with --tunnel-fingerprint ${tunnel?.fingerprint ?? 'SHA256:…'}`,
  server_settings: none,
}

function forwardByHand(view: InternetView): string {
  const { router, local } = view
  const where = router === null ? 'the router' : `the router (http://${router.address})`
  const port = local.port === null ? '' : ` port ${local.port}`
  return (
    `To open it by hand, forward TCP port ${portOf(view)} to ` +
    `${local.address ?? 'this computer'}${port} in ${where}.`
  )
}

/** Lists the ports that a router still keeps open for a host that does not run. */
export function leftLines(mappings: readonly MappingUntil[], now = new Date()): string[] {
  const lines = mappings.flatMap(({ router, external, until }) => {
    if (until !== null && new Date(until) <= now) return []
    const end =
      until === null ? 'its next start' : `${formatTime(until, now)}, or until its next start`
    return [`The router ${router} still keeps port ${external} open for this host until ${end}.`]
  })
  return [...new Set(lines)]
}
