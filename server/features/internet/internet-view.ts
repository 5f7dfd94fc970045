import type { InternetView } from '../../contract'
import type { InternetSettings } from '../../data/settings/settings-schema'
import type { MappingUntil } from './lease/kept-mapping'
import type { Lease } from './lease/lease'
import type { Leftovers } from './lease/leftovers'
import type { InternetDeps, OpeningSettings } from './needs'
import { judge, type InternetFacts } from './situation'
import type { Visitors } from './visits/visitors'

/** Parts that only a running host has. */
interface Running {
  needs: Pick<InternetDeps, 'clock' | 'blockers' | 'certificate' | 'door'>
  lease: Pick<Lease, 'mapping' | 'until'>
  leftovers: Pick<Leftovers, 'former'>
  visitors: Visitors
}

/** Presents everything that the Host page shows about the internet. */
export function presentInternet(
  facts: InternetFacts,
  settings: OpeningSettings,
  running?: Running,
): InternetView {
  const { state, holder, otherPort, problem } = judge(facts)
  const { needs, lease } = running ?? {}

  const former = state === 'port_taken' ? running?.leftovers.former(facts, holder) : undefined
  const { visitors, failedSignIns } = running?.visitors.counts() ?? {
    visitors: 0,
    failedSignIns: 0,
  }

  return {
    way: settings.internet_way,
    state,
    url: facts.url,
    since: facts.since,
    proof: facts.proof && { at: facts.proof.at, by: facts.proof.by },
    problem,
    blockers: needs?.blockers() ?? [],
    steps: facts.steps,
    local: { address: facts.own, port: needs?.door.port ?? null },
    router: facts.router && {
      ...facts.router,
      is_silent: facts.isSilent,
      ...toHolderFields(holder, former, needs?.clock.now() ?? new Date()),
    },
    external_port: facts.externalPort,
    other_port: otherPort,
    outer_address: facts.outer?.address ?? null,
    observed_address: facts.observed,
    has_vpn: facts.hasVpn,
    ipv6_address: facts.ipv6,
    lease_until: lease?.until?.toISOString() ?? null,
    permanent: lease?.mapping?.permanent ?? false,
    certificate: needs && facts.way !== 'off' ? certificateOf(needs) : null,
    terms_accepted: settings.terms_accepted === settings.acme_directory,
    hairpin: facts.hairpin,
    tunnel: presentTunnel(facts, settings),
    other_tunnels: facts.otherTunnels,
    visitors,
    failed_sign_ins: failedSignIns,
    registration_open: settings.registration_open,
  }
}

const toHolderFields = (holder: string | null, former: MappingUntil | undefined, now: Date) => ({
  holder: former?.client ?? holder,
  holder_is_former: former !== undefined,
  holder_until: former?.until != null && new Date(former.until) > now ? former.until : null,
})

const certificateOf = ({ certificate }: Running['needs']) => ({
  until: certificate.current?.until ?? null,
  problem: certificate.problem,
})

function presentTunnel(
  { tunnel, authorizedKey }: InternetFacts,
  { tunnel_server: server, tunnel_remote_port: remotePort }: Readonly<InternetSettings>,
): InternetView['tunnel'] {
  if (authorizedKey === null) return null
  const failed = tunnel?.kind === 'failed' ? tunnel : undefined

  return {
    server,
    remote_port: remotePort,
    retry_at: tunnel?.kind === 'waiting' ? tunnel.retryAt : null,
    fingerprint: failed?.fingerprint ?? null,
    problem: failed?.problem ?? (tunnel?.kind === 'waiting' ? 'unreachable' : null),
    authorized_key: authorizedKey,
  }
}
