import type { Facts, FirmwareFacts } from '../contract/files/facts'
import { describeKind } from '../contract/files/formats'
import { androidVersion } from '../contract/files/android-version'
import { systemWords, versionWords } from './files/facts-line'
import { formatDate, formatQuantity, formatSize } from './format'

/** A fact with its label. */
export interface FactRow {
  label: string
  value: string
  /** An identifier, to be shown in monospace. */
  isCode?: true
}

/**
 * The facts of a package except its name, kind, permissions and signer. `displayVersion`: the
 * version that pages show for the file.
 */
export function factRows(facts: Facts, now: Date, displayVersion: string | null = null): FactRow[] {
  const { kind, app_id, publisher, min_os, architectures, android, apple, disk, firmware } = facts
  const rows: (FactRow | null)[] = [
    app_id === null ? null : { label: describeKind(kind).idLabel, value: app_id, isCode: true },
    ...versionRows(facts, displayVersion),
    facts.debug ? row('Build type', 'Debug build, for development only') : null,
    row('Runs on', min_os === null ? null : systemWords(min_os)),
    row('Made for', targetWords(android?.target_sdk ?? null)),
    row(
      firmware ? 'Chips' : 'Architectures',
      architectures.length === 0 ? null : architectures.join(', '),
    ),
    row('Starts with', disk?.boots.length ? disk.boots.join(', ') : null),
    row('Disk size', disk?.size == null ? null : formatSize(disk.size)),
    row('Addresses', rangeWords(firmware?.addresses ?? null)),
    row('Devices', apple?.devices.length ? apple.devices.join(', ') : null),
    row('Publisher', publisher),
    row('Signature', signatureWords(facts)),
    ...profileRows(apple?.profile ?? null, now),
  ]

  return rows.filter((it) => it !== null)
}

/** Both versions, if a person entered another one. */
function versionRows(facts: Facts, displayVersion: string | null): (FactRow | null)[] {
  if (displayVersion === null || displayVersion === facts.version)
    return [row('Version', versionWords(facts))]
  return [row('Version', displayVersion), row('In the package', versionWords(facts))]
}

const row = (label: string, value: string | null): FactRow | null =>
  value === null ? null : { label, value }

/** `0x10000000 to 0x1000ffff`, both included. */
function rangeWords(range: FirmwareFacts['addresses']): string | null {
  const hex = (address: number) => `0x${address.toString(16).padStart(8, '0')}`
  return range && `${hex(range.start)} to ${hex(range.end - 1)}`
}

function targetWords(level: number | null): string | null {
  const version = androidVersion(level)
  return version === null || version.includes('API') ? version : `${version} (API level ${level})`
}

/** Version 3.1 of the APK Signature Scheme has the number 31. */
function signatureWords({ is_signed, android }: Facts): string | null {
  if (is_signed === null) return null
  if (!is_signed) return 'Not signed'
  const schemes =
    android?.signature_schemes.map((scheme) => (scheme === 31 ? 'v3.1' : `v${scheme}`)) ?? []
  return schemes.length === 0 ? 'Signed' : `Signed (${schemes.join(', ')})`
}

type Profile = NonNullable<NonNullable<Facts['apple']>['profile']>

function profileRows(profile: Profile | null, now: Date): (FactRow | null)[] {
  if (!profile) return []
  return [
    row('Provisioning profile', profileWords(profile)),
    row('Team', profile.team),
    row('Profile expiry', expiryWords(profile.expires_at, now)),
  ]
}

function profileWords({ kind, devices }: Profile): string {
  if (kind === 'app-store') return 'App Store: installs through the App Store and TestFlight only'
  if (kind === 'enterprise') return 'Enterprise: for the devices of its organization'
  const name = kind === 'development' ? 'Development' : 'Ad hoc'
  if (devices === null) return name
  return `${name}: for ${formatQuantity(devices, 'registered device')}`
}

/** `Expires on …` or `Expired on …`. `at`: UTC ISO 8601. */
export const expiryWords = (at: string, now: Date): string =>
  `${at <= now.toISOString() ? 'Expired' : 'Expires'} on ${formatDate(at)}`
