import { isDeepStrictEqual } from 'node:util'
import type { InternetView } from '../contract'
import type { InternetSettings, SettingsData } from '../data/settings/settings-schema'
import { DynamicName, type NameUpdate } from '../features/internet/dynamic-name'
import type { Proof } from '../network/proof'
import { Internet } from '../features/internet/internet'
import type { InternetDeps } from '../features/internet/needs'
import { Announcements } from '../libraries/port-mapping/announcements'
import { findPinholes, findRouters, createRouter } from '../libraries/port-mapping/find-routers'
import { defaultGateway, defaultGateway6 } from '../libraries/port-mapping/gateway'
import { routeSource } from '../network/route-source'
import { PublicCertificate } from '../network/tls/public-certificate'
import { runningTunnels } from '../features/internet/tunnel/running-tunnels'
import { Tunnel } from '../libraries/ssh-tunnel/tunnel'
import { authorizedKeyLine, tunnelKey } from '../libraries/ssh-tunnel/tunnel-key'
import type { Accounts } from './accounts'
import type { Foundation } from './foundation'
import type { ServerConfig } from './server-config'

/**
 * Composes the connection from the internet. While that is off, nothing of it runs and no large
 * part is loaded.
 */
export function composeInternet(
  foundation: Foundation,
  accounts: Accounts,
  { proof, onCertificate }: { proof: Proof; onCertificate: () => void },
) {
  const { config, data, hostDeps, routers, sources, log } = foundation
  const { dataDir, disk } = data
  const { users, audit } = accounts

  const door = hostDeps.outsideDoor
  const common = { dataDir, disk, log, clock: sources }

  const onNew = (subject: string, until: string) => {
    audit.recordHost({ kind: 'internet_certificate', subject, detail: `valid until ${until}` })
    onCertificate()
  }

  const choices = composeChoices(foundation)
  const update = () => nameUpdate(choices.settings(), data.secrets.namePassword)
  const name = new DynamicName({ ...common, update })

  const internet = new Internet({
    ...common,
    door,
    certificate: new NotifyingCertificate({ ...common, door }, onNew),
    tunnel: new Tunnel({ ...common, enter: (stream, address) => door.take(stream, address) }),
    routers: routers ?? usualRouters(),
    name,
    ...choices,
    blockers: () => listBlockers(config, users.hasHost),
    onRegistration: (isOpen) =>
      audit.recordHost({ kind: isOpen ? 'registration_open' : 'registration_close' }),
    ask: (origin) => proof.ask(origin),
    source: routeSource,
    authorizedKey: async (remotePort) =>
      authorizedKeyLine(await tunnelKey(dataDir, disk), remotePort),
    otherTunnels: runningTunnels,
  })

  door.onVisitor((address) => internet.seen(address))
  recordAddresses(internet, audit)
  return { internet, name }
}

/** Finds the routers of this network. Asks them only when a person checks or opens. */
export const usualRouters = (): NonNullable<Foundation['routers']> => ({
  place: defaultGateway,
  find: findRouters,
  of: createRouter,
  pinholes: { place: defaultGateway6, find: findPinholes },
  announcements: new Announcements(),
})

/** Returns how to update the name of this host. Undefined if it is not updated. */
function nameUpdate(settings: InternetSettings, password = ''): NameUpdate | undefined {
  const {
    internet_name: name,
    name_update: way,
    name_update_url: url,
    name_update_user: user,
  } = settings
  return way === 'off' || name === '' ? undefined : { way, url, user, password, name }
}

function listBlockers(
  { hostName, rateLimits }: ServerConfig,
  hasHost: boolean,
): InternetView['blockers'] {
  const blockers: InternetView['blockers'] = []
  if (hostName !== undefined) blockers.push('in_cluster')
  if (!hasHost) blockers.push('no_host_account')
  if (rateLimits === false) blockers.push('no_rate_limits')
  return blockers
}

/**
 * Returns the settings with the options of the command line. Each option applies until a person
 * changes it. If the command line decides whether the host is open, that is not saved: the next
 * start decides again.
 */
function composeChoices({
  config,
  data: { settings },
}: Pick<Foundation, 'config' | 'data'>): Pick<InternetDeps, 'settings' | 'save'> {
  const isForThisRun = config.internet?.internet_way !== undefined

  const overrides: Partial<InternetSettings> = {
    ...config.internet,
    ...(isForThisRun ? { internet_way: 'off' as const } : {}),
  }

  return {
    settings: () => ({ ...settings.get(), ...overrides }),
    save: async ({ internet_way: way, ...rest }) => {
      const change = {
        ...rest,
        ...(way === undefined || isForThisRun ? {} : { internet_way: way }),
      }

      const patch = withoutSame(change, overrides)
      for (const name of Object.keys(patch)) Reflect.deleteProperty(overrides, name)
      if (isForThisRun && way !== undefined) overrides.internet_way = way
      if (Object.keys(patch).length > 0) await settings.update(patch)
    },
  }
}

const withoutSame = (
  change: Partial<SettingsData>,
  current: Partial<SettingsData>,
): Partial<SettingsData> =>
  Object.fromEntries(
    Object.entries(change).filter(
      ([name, value]) => !isDeepStrictEqual(value, current[name as keyof SettingsData]),
    ),
  )

/** Records each public address that the host gets. */
function recordAddresses(internet: Internet, audit: Accounts['audit']): void {
  let lastHost: string | undefined
  internet.onChange(() => {
    const { way, url } = internet.view()
    if (way === 'off') lastHost = undefined
    const host = url === null ? undefined : new URL(url).hostname

    if (host === undefined || host === lastHost) return

    audit.recordHost({
      kind: 'internet_address',
      detail: lastHost === undefined ? host : `${lastHost} → ${host}`,
    })

    lastHost = host
  })
}

/** A certificate store that reports each new certificate. */
class NotifyingCertificate extends PublicCertificate {
  constructor(
    deps: ConstructorParameters<typeof PublicCertificate>[0],
    private readonly onNew: (subject: string, until: string) => void,
  ) {
    super(deps)
  }

  override async order(
    ...args: Parameters<PublicCertificate['order']>
  ): ReturnType<PublicCertificate['order']> {
    const done = await super.order(...args)
    if (this.current) this.onNew(this.current.subject, this.current.until)
    return done
  }
}
