import type { InternetView, TunnelChoice } from '../../contract'
import { AppError } from '../../core/errors'
import type { InternetSettings } from '../../data/settings/settings-schema'

/** A request of the host account. */
export interface OpenRequest {
  way: 'router' | 'tunnel'
  terms_accepted: boolean
  keep_registration_open: boolean
  /** The public port. Undefined: that of the settings. */
  port?: number | undefined
  tunnel?: TunnelChoice | undefined
}

/**
 * Returns the settings that a request to open changes. Throws AppError if a condition is not met.
 */
export function changeFor(
  request: OpenRequest,
  settings: Readonly<InternetSettings>,
  blockers: InternetView['blockers'],
): Partial<InternetSettings> {
  const { way, terms_accepted: isAccepted, port = settings.internet_port } = request
  const { acme_directory: directory } = settings
  refuseIfBlocked(blockers)

  const tunnel = request.tunnel ? tunnelSettings(request.tunnel) : settings
  if (way === 'tunnel' && tunnel.tunnel_server === '') {
    throw new AppError(
      'invalid_input',
      'Enter the server that forwards visitors to this host',
      'tunnel',
    )
  }

  // Authorities validate only at these ports of a server.
  const isCertified = way === 'router' || [80, 443].includes(tunnel.tunnel_remote_port)
  if (isCertified && !isAccepted && settings.terms_accepted !== directory) {
    throw new AppError(
      'terms_needed',
      'Accept the terms of the certificate authority, which issues the certificate',
    )
  }

  return {
    internet_way: way,
    internet_port: port,
    terms_accepted: isAccepted ? directory : settings.terms_accepted,
    ...(request.tunnel && tunnelSettings(request.tunnel)),
  }
}

function refuseIfBlocked(blockers: InternetView['blockers']): void {
  // Opening would affect one host only, and stay behind when another host becomes the primary.
  if (blockers.includes('in_cluster')) {
    throw new AppError(
      'forbidden',
      'This host is one of several, which people outside reach through their balancer',
    )
  }

  if (blockers.includes('no_host_account')) {
    throw new AppError('no_host_account', 'This host has no host account yet. Create one first')
  }

  if (blockers.includes('no_rate_limits')) {
    throw new AppError(
      'rate_limits_off',
      'Rate limits are off. Turn them on before people outside reach this host',
    )
  }
}

const tunnelSettings = ({ server, port, user, remote_port, fingerprint }: TunnelChoice) => ({
  tunnel_server: server,
  tunnel_port: port,
  tunnel_user: user,
  tunnel_remote_port: remote_port,
  tunnel_fingerprint: fingerprint,
})
