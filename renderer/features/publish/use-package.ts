import { keepPreviousData } from '@tanstack/react-query'
import type { BuildWarning } from '../../../server/contract'
import { queryKeys } from '../../lib/client/query-keys'
import { useLoad } from '../../lib/client/use-load'
import type { Stored } from '../uploads/upload'
import type { SheetFile } from './use-sheet-files'

/** Facts of the packages that the host has read so far. */
export interface PackageNames {
  name: string | null | undefined
  appId: string | null | undefined
  /** The version of all files that have one. */
  version: string | undefined
}

/** What to check before a file is published in a project. Empty without facts. */
export function useWarnings(
  stored: Stored | undefined,
  { project, version }: { project: string | undefined; version: string },
): readonly BuildWarning[] {
  const place = { ...(project && { project }), ...(version !== '' && { version }) }
  const { data } = useLoad(
    [...queryKeys.files.facts(stored?.file_id ?? ''), place],
    (client, signal) => client.files.facts({ id: stored?.file_id ?? '', ...place }, signal),
    { enabled: Boolean(stored?.facts), placeholderData: keepPreviousData },
  )
  return data?.warnings ?? []
}

export function usePackage(files: readonly SheetFile[]): PackageNames {
  const stored = files.find(({ upload }) => upload?.stored?.facts)?.upload?.stored
  const { data } = useLoad(
    queryKeys.files.facts(stored?.file_id ?? ''),
    (client, signal) => client.files.facts({ id: stored?.file_id ?? '' }, signal),
    { enabled: stored !== undefined },
  )
  const versions = new Set(files.flatMap(({ upload }) => upload?.stored?.version ?? []))
  const [version] = versions.size === 1 ? versions : []
  return { name: data?.facts?.name, appId: stored?.facts?.app_id, version }
}
