import type { Rooms } from '../../compose/context'
import type { HostSettings } from '../../contract'
import { hostSettings } from '../../contract/host-settings/host-settings'
import { pickSettings, type SettingsData } from '../../data/settings/settings-schema'

const names = Object.keys(hostSettings) as (keyof typeof hostSettings)[]

/** Presents the settings in the format of the contract. */
export const present = ({
  data: { settings },
  network: { bound, reach },
}: Rooms<'data' | 'network'>): HostSettings => ({
  ...pickSettings(settings.get(), names),
  port: bound().port,
  sharing: reach.isShared,
})

/** Describes changes for the audit log: `port: 4780 → 4781`. */
export function differences(
  before: HostSettings,
  after: HostSettings,
  passwords: Readonly<Record<string, boolean>>,
): string {
  const changed = (Object.keys(after) as (keyof HostSettings)[]).filter(
    (name) => String(before[name]) !== String(after[name]),
  )
  const changes = changed.map((name) => `${name}: ${String(before[name])} → ${String(after[name])}`)
  const secrets = Object.keys(passwords).filter((name) => passwords[name])
  return [...changes, ...secrets.map((name) => `${name}: changed`)].join(', ')
}

type Change = { [Name in keyof HostSettings]?: HostSettings[Name] | undefined }

/**
 * Returns the settings that a call changes. A new tunnel server must be confirmed again. A decision
 * on registration is final.
 */
export function changedSettings(
  change: Omit<Change, 'port' | 'sharing' | 'shared_addresses'>,
  now: Readonly<SettingsData>,
): Partial<SettingsData> {
  const patch: Partial<SettingsData> = Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  )

  const { tunnel_server: server = now.tunnel_server, tunnel_port: port = now.tunnel_port } = patch
  const isMoved = server !== now.tunnel_server || port !== now.tunnel_port

  return {
    ...patch,
    ...(isMoved && { tunnel_fingerprint: patch.tunnel_fingerprint ?? null }),
    ...(patch.registration_open !== undefined && { reopens_registration: false }),
  }
}
