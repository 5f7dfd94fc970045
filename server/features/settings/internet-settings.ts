import type { HostSettings } from '../../contract'
import { AppError } from '../../core/errors'
import type { InternetSettings } from '../../data/settings/settings-schema'

type Fields = Pick<
  HostSettings,
  | 'internet_name'
  | 'internet_port'
  | 'acme_directory'
  | 'acme_email'
  | 'stun_server'
  | 'name_update'
  | 'name_update_url'
  | 'name_update_user'
  | 'tunnel_server'
  | 'tunnel_port'
  | 'tunnel_user'
  | 'tunnel_remote_port'
  | 'tunnel_fingerprint'
>

/** Presents the settings of reaching this host from the internet as in the contract. */
export function presentInternet(internet: Readonly<InternetSettings>): Fields {
  const { name, port, acmeDirectory, acmeEmail, stunServer, nameUpdate, tunnel } = internet
  return {
    internet_name: name,
    internet_port: port,
    acme_directory: acmeDirectory,
    acme_email: acmeEmail,
    stun_server: stunServer,
    name_update: nameUpdate.way,
    name_update_url: nameUpdate.url,
    name_update_user: nameUpdate.user,
    tunnel_server: tunnel.server,
    tunnel_port: tunnel.port,
    tunnel_user: tunnel.user,
    tunnel_remote_port: tunnel.remotePort,
    tunnel_fingerprint: tunnel.fingerprint,
  }
}

/** Merges a change into the stored settings. A new server has to be confirmed again; a decision on registration stays. */
export function storedInternet(
  change: { [Name in keyof Fields]?: Fields[Name] | undefined } & { registration_open?: boolean | undefined },
  now: Readonly<InternetSettings>,
): InternetSettings {
  const next = { ...presentInternet(now), ...definedIn(change) }
  const isMoved = next.tunnel_server !== now.tunnel.server || next.tunnel_port !== now.tunnel.port
  const confirmed = isMoved ? (change.tunnel_fingerprint ?? null) : next.tunnel_fingerprint
  return {
    way: now.way,
    termsAccepted: now.termsAccepted,
    reopensRegistration: now.reopensRegistration && change.registration_open === undefined,
    name: next.internet_name,
    port: next.internet_port,
    acmeDirectory: next.acme_directory,
    acmeEmail: next.acme_email,
    stunServer: next.stun_server,
    nameUpdate: { way: next.name_update, url: next.name_update_url, user: next.name_update_user },
    tunnel: {
      server: next.tunnel_server,
      port: next.tunnel_port,
      user: next.tunnel_user,
      remotePort: next.tunnel_remote_port,
      fingerprint: confirmed,
    },
  }
}

const definedIn = (change: object): Partial<Fields> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

/** Throws `invalid_input` naming what updating the name still needs. */
export function checkNameUpdate({ name, nameUpdate }: InternetSettings, hasPassword: boolean): void {
  const { way, url, user } = nameUpdate
  if (way === 'off') return
  const missing = (field: string, message: string) => new AppError('invalid_input', message, field)
  if (name === '') throw missing('internet_name', 'Enter the name to update')
  if (url === '') throw missing('name_update_url', 'Enter the address to call for an update')
  if (way === 'address') return
  if (user === '') throw missing('name_update_user', 'Enter the user name at your provider')
  if (!hasPassword) throw missing('name_update_password', 'Enter the password at your provider')
}
