import type { Facts } from '../../contract/files/facts'
import type { Look } from '../../libraries/package-reader/look'
import { SIGNER_DIGITS, SUMMARY_BYTES, type PackageSummary } from '../../data/records/file-records'

/** The fields to drop from an oversized summary, in this order. */
const LEAST_NEEDED = ['minOs', 'architectures', 'build', 'version', 'appId'] as const

/** Summarizes the facts of a package. */
export function summaryOf({ facts, icon, devices }: Look): PackageSummary {
  const summary: PackageSummary = {
    kind: facts.kind,
    appId: facts.app_id ?? undefined,
    version: facts.version ?? undefined,
    build: facts.build ?? undefined,
    minOs: facts.min_os ?? undefined,
    architectures: facts.architectures.length > 0 ? facts.architectures : undefined,
    signer: facts.signer?.sha256.slice(0, SIGNER_DIGITS),
    isSigned: facts.is_signed ?? undefined,
    isDebug: facts.debug || undefined,
    isStapled: facts.is_stapled,
    hasIcon: icon ? true : undefined,
    listsDevices: devices ? true : undefined,
    ...profileOf(facts),
  }

  for (const name of LEAST_NEEDED) if (bytesOf(summary) > SUMMARY_BYTES) summary[name] = undefined

  return summary
}

function profileOf({ apple }: Facts): Pick<PackageSummary, 'expiresAt' | 'devices'> {
  const profile = apple?.profile
  return { expiresAt: profile?.expires_at, devices: profile?.devices ?? undefined }
}

const bytesOf = (summary: PackageSummary) => Buffer.byteLength(JSON.stringify(summary))
