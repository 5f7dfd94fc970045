import type { Facts, PackageKind } from '../contract/facts'
import type { Look } from './look.ts'

/** What the library stores of the facts of a package: at most 400 bytes of JSON. The rest is beside the blob. */
export interface PackageSummary {
  kind: PackageKind
  appId?: string | undefined
  version?: string | undefined
  /** A higher one is newer. */
  build?: string | undefined
  minOs?: string | undefined
  architectures?: readonly string[] | undefined
  /** The first digits of the SHA-256 of the signing certificate. */
  signer?: string | undefined
  isSigned?: boolean | undefined
  isDebug?: true | undefined
  /** When the provisioning profile expires. */
  expiresAt?: string | undefined
  /** How many devices the provisioning profile names. */
  devices?: number | undefined
  hasIcon?: true | undefined
  /** Has only the version, as earlier versions read it; there is nothing beside the blob. */
  isPartial?: true | undefined
}

const MOST_BYTES = 400
const SIGNER_DIGITS = 16
/** What an oversized summary loses first. */
const LEAST_NEEDED = ['minOs', 'architectures', 'build', 'version', 'appId'] as const

/** Summarizes the facts of a package. */
export function summaryOf({ facts, icon }: Look): PackageSummary {
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
    hasIcon: icon ? true : undefined,
    ...profileOf(facts),
  }
  for (const name of LEAST_NEEDED) if (bytesOf(summary) > MOST_BYTES) summary[name] = undefined
  return summary
}

function profileOf({ apple }: Facts): Pick<PackageSummary, 'expiresAt' | 'devices'> {
  const profile = apple?.profile
  return { expiresAt: profile?.expires_at, devices: profile?.devices ?? undefined }
}

const bytesOf = (summary: PackageSummary) => Buffer.byteLength(JSON.stringify(summary))
