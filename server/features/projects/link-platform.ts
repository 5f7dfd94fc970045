import { platformOfPackage } from '../../contract'
import type { PackageSummary } from '../../data/records/file-records'
import type { LinkRecord } from '../../data/records/project-records'

/** The platform as entered, else the one that the package is for. */
export function platformOfLink(
  { platform }: LinkRecord,
  file: { facts?: PackageSummary | null | undefined } | undefined,
) {
  const kind = file?.facts?.kind
  return platform ?? (kind && platformOfPackage(kind)) ?? null
}
