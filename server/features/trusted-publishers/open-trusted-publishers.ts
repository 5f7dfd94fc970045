import type { Foundation } from '../../compose/foundation'
import type { Network } from '../../compose/network'
import type { Projects } from '../../compose/projects'
import { IssuerKeys } from '../../network/issuer-keys'
import { TrustedPublishers } from './trusted-publishers'

interface Deps {
  projects: Projects
  network: Network
}

/** Opens the trusted publishers of projects. */
export function openTrustedPublishers(
  { data, sources }: Foundation,
  { projects, network }: Deps,
): TrustedPublishers {
  return new TrustedPublishers({
    projects: projects.store,
    keys: new IssuerKeys({ mayReach: network.mayReach, sources }),
    sources,
    sessionKeys: data.secrets.sessionKeys,
    audiences: () => readOrigins(network),
  })
}

/** The addresses that this host is set to have, as origins. A client's Host header adds none. */
function readOrigins({ publicUrl, publicOrigin }: Network): string[] {
  const urls = [publicUrl(), publicOrigin()].filter((url) => url !== null)
  return [...new Set(urls.map((url) => new URL(url).origin))]
}
