import type { Rooms } from '../../compose/context'
import type { HostSettings } from '../../contract'
import type { Limits, SettingsData } from '../../data/settings/settings-schema'
import { presentInternet, storedInternet } from './internet-settings'

/** Presents the settings as in the contract. */
export function present({ data: { settings }, network: { bound, reach } }: Rooms<'data' | 'network'>): HostSettings {
  const {
    name,
    addresses,
    publicUrl,
    registrationOpen,
    defaultTier,
    limits,
    trustedProxies,
    desktop,
    https,
    internet,
  } = settings.get()
  return {
    host_name: name,
    port: bound().port,
    sharing: reach.isShared,
    public_url: publicUrl,
    registration_open: registrationOpen,
    default_tier: defaultTier,
    trusted_proxies: trustedProxies,
    shared_addresses: addresses,
    ...presentLimits(limits),
    https: https.mode,
    https_certificate: https.certificate,
    https_key: https.key,
    https_redirect: https.redirect,
    notify_downloads: desktop.notifyDownloads,
    notify_builds: desktop.notifyBuilds,
    notify_collaborators: desktop.notifyCollaborators,
    notify_failures: desktop.notifyFailures,
    start_at_login: desktop.startAtLogin,
    start_hidden: desktop.startHidden,
    theme: desktop.theme,
    update_feed: desktop.updateFeed,
    ...presentInternet(internet),
  }
}

const presentLimits = (limits: Readonly<Limits>) => ({
  uploads_per_hour: limits.uploadsPerHour,
  requests_per_hour: limits.requestsPerHour,
  bytes_per_second_per_transfer: limits.bytesPerSecondPerTransfer,
  bytes_per_second_per_visitor: limits.bytesPerSecondPerVisitor,
  bytes_per_second_in_all: limits.bytesPerSecondInAll,
  transfers_per_address: limits.transfersPerAddress,
  connections_per_address: limits.connectionsPerAddress,
  projects_per_account: limits.projectsPerAccount,
  posts_per_account: limits.postsPerAccount,
  api_keys_per_account: limits.apiKeysPerAccount,
  sessions_per_account: limits.sessionsPerAccount,
  unfinished_uploads_per_account: limits.unfinishedUploadsPerAccount,
})

/** Describes changes for the audit log: `port: 4780 → 4781`. */
export function differences(before: HostSettings, after: HostSettings, hasPassword: boolean): string {
  const names = (Object.keys(after) as (keyof HostSettings)[]).filter(
    (name) => String(before[name]) !== String(after[name]),
  )
  const changes = names.map((name) => `${name}: ${String(before[name])} → ${String(after[name])}`)
  return [...changes, ...(hasPassword ? ['name_update_password: changed'] : [])].join(', ')
}

type Change = { [Name in keyof HostSettings]?: HostSettings[Name] | undefined }

/** Merges a change into the stored settings. */
export function stored(change: Omit<Change, 'port' | 'sharing' | 'shared_addresses'>, now: Readonly<SettingsData>) {
  const { limits, desktop, https } = now
  return {
    name: change.host_name ?? now.name,
    publicUrl: change.public_url === undefined ? now.publicUrl : change.public_url,
    registrationOpen: change.registration_open ?? now.registrationOpen,
    defaultTier: change.default_tier ?? now.defaultTier,
    trustedProxies: change.trusted_proxies ?? now.trustedProxies,
    limits: storedLimits(change, limits),
    https: {
      mode: change.https ?? https.mode,
      certificate: change.https_certificate ?? https.certificate,
      key: change.https_key ?? https.key,
      redirect: change.https_redirect ?? https.redirect,
    },
    desktop: {
      notifyDownloads: change.notify_downloads ?? desktop.notifyDownloads,
      notifyCollaborators: change.notify_collaborators ?? desktop.notifyCollaborators,
      notifyBuilds: change.notify_builds ?? desktop.notifyBuilds,
      notifyFailures: change.notify_failures ?? desktop.notifyFailures,
      startAtLogin: change.start_at_login ?? desktop.startAtLogin,
      startHidden: change.start_hidden ?? desktop.startHidden,
      updateFeed: change.update_feed === undefined ? desktop.updateFeed : change.update_feed,
      theme: change.theme ?? desktop.theme,
      toldOfTray: desktop.toldOfTray,
    },
    internet: storedInternet(change, now.internet),
  }
}

function storedLimits(change: Change, limits: Limits): Limits {
  /** Null removes a limit. */
  const rate = (wanted: number | null | undefined, now: number | null) => (wanted === undefined ? now : wanted)
  return {
    ...limits,
    uploadsPerHour: change.uploads_per_hour ?? limits.uploadsPerHour,
    requestsPerHour: change.requests_per_hour ?? limits.requestsPerHour,
    bytesPerSecondPerTransfer: rate(change.bytes_per_second_per_transfer, limits.bytesPerSecondPerTransfer),
    bytesPerSecondPerVisitor: rate(change.bytes_per_second_per_visitor, limits.bytesPerSecondPerVisitor),
    bytesPerSecondInAll: rate(change.bytes_per_second_in_all, limits.bytesPerSecondInAll),
    transfersPerAddress: change.transfers_per_address ?? limits.transfersPerAddress,
    connectionsPerAddress: change.connections_per_address ?? limits.connectionsPerAddress,
    projectsPerAccount: change.projects_per_account ?? limits.projectsPerAccount,
    postsPerAccount: change.posts_per_account ?? limits.postsPerAccount,
    apiKeysPerAccount: change.api_keys_per_account ?? limits.apiKeysPerAccount,
    sessionsPerAccount: change.sessions_per_account ?? limits.sessionsPerAccount,
    unfinishedUploadsPerAccount: change.unfinished_uploads_per_account ?? limits.unfinishedUploadsPerAccount,
  }
}
