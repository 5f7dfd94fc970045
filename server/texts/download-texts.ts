import type { FactsSummary } from '../contract/files/facts'
import type { Platform } from '../contract/files/platforms'
import { formatDate, formatQuantity } from './format'
import { systemWords } from './files/facts-line'

/**
 * Compares the signing certificate with the previous release. Null if unknown, or if this is the
 * first.
 */
export type SignerComparison = 'same' | 'other' | null

type Facts = Pick<
  FactsSummary,
  'min_os' | 'architectures' | 'debug' | 'is_signed' | 'expires_at' | 'devices'
>

/**
 * The requirements of a file: `Android 8 or later · arm64 · signed by the same key as before`; ''
 * if unknown.
 */
export function needsLine(
  facts: Pick<Facts, 'min_os' | 'architectures'>,
  signer: SignerComparison,
): string {
  const parts = [
    facts.min_os === null ? '' : systemWords(facts.min_os),
    facts.architectures.join(', '),
    signer === 'same' ? 'signed by the same key as before' : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

/**
 * Limits that may stop a person who downloads the file:
 * `For 3 registered devices, until December 12, 2026`.
 */
export function obstacles(facts: Facts, signer: SignerComparison, now: Date): string[] {
  return [
    profileWords(facts, now),
    facts.debug ? 'Debug build, for development only' : null,
    facts.is_signed === false ? 'Not signed: your device may refuse to install it' : null,
    signer === 'other'
      ? 'Signed with a different key than before: uninstall the earlier app first'
      : null,
  ].filter((words) => words !== null)
}

function profileWords({ expires_at, devices }: Facts, now: Date): string | null {
  if (expires_at !== null && expires_at <= now.toISOString())
    return `Expired on ${formatDate(expires_at)}`
  const until = expires_at === null ? null : `until ${formatDate(expires_at)}`
  if (devices === null) return until === null ? null : `Works ${until}`
  const whom = `For ${formatQuantity(devices, 'registered device')}`
  return until === null ? whom : `${whom}, ${until}`
}

/** The version, with the package's own version if that differs: `1.2.0 (package version 1.1.9)`. */
export function versionOf({
  version,
  facts,
}: {
  version: string
  facts: Versioned | null
}): string {
  const own = facts?.version ?? version

  // Debian and RPM packages add an epoch and a revision.
  const isSame =
    facts?.kind === 'deb' || facts?.kind === 'rpm'
      ? own.includes(version)
      : own === version.replace(/^v/i, '')

  return isSame || own === version ? version : `${version} (package version ${own})`
}
type Versioned = Pick<FactsSummary, 'kind' | 'version'>

/** `Stable`, `Beta`, `Night owls`. */
export const channelWords = (channel: string): string =>
  channel.charAt(0).toUpperCase() + channel.slice(1).replaceAll('-', ' ')

/** The name of a platform's devices, as their users say it. */
export const deviceWords = (platform: Platform): string => DEVICES[platform] ?? platform

const DEVICES: Partial<Record<Platform, string>> = {
  iOS: 'iPhone',
  Web: 'the web',
  Image: 'drives and virtual machines',
  Firmware: 'boards',
}
