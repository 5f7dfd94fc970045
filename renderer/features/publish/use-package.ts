import type { BuildWarning } from '../../../server/contract'
import type { Stored } from '../uploads/upload'
import { useFacts } from '../files/facts/use-facts'
import type { SheetFile } from './use-sheet-files'

/** Facts of the packages that the host has read so far. */
export interface PackageNames {
  name: string | null | undefined
  appId: string | null | undefined
  /** The version of all files that have one. */
  version: string | undefined
  /** Whether more is to come. */
  isReading: boolean
}

/** What to check before a file is published in a project. Empty without facts. */
export function useWarnings(
  stored: Stored | undefined,
  { project, version }: { project: string | undefined; version: string },
): readonly BuildWarning[] {
  const place = { ...(project && { project }), ...(version !== '' && { version }) }
  return useFacts(stored?.facts ? stored.file_id : undefined, place).data?.warnings ?? []
}

export function usePackage(files: readonly SheetFile[]): PackageNames {
  const stored = files.find(({ upload }) => upload?.stored?.facts)?.upload?.stored
  const { data, isLoading } = useFacts(stored?.file_id)
  const versions = new Set(files.flatMap(({ upload }) => upload?.stored?.version ?? []))
  const [version] = versions.size === 1 ? versions : []

  return {
    name: data?.facts?.name,
    appId: stored?.facts?.app_id,
    version,
    isReading: isLoading,
  }
}
