import type { QueryClient } from '@tanstack/react-query'
import type { File } from '../../../server/contract'
import { queryKeys } from '../../lib/client/query-keys'

const myFiles = { queryKey: queryKeys.files.mine().slice(0, 2) }
type Page = { files: File[]; total: number }

/**
 * Shows a new visibility before the host confirms. Returns an undo for this file alone, because
 * others may be pending.
 */
export async function showVisibility(
  cache: QueryClient,
  { id, is_public }: { id: string; is_public: boolean },
) {
  await cache.cancelQueries(myFiles)
  const before = shownFiles(cache).find(({ file_id }) => file_id === id)
  show(cache, id, is_public)
  return () => before && show(cache, id, before.is_public)
}

function show(cache: QueryClient, id: string, isPublic: boolean): void {
  const changeFile = (file: File): File =>
    file.file_id === id
      ? { ...file, is_public: isPublic, visibility: isPublic ? 'public' : 'private' }
      : file
  cache.setQueriesData<Page>(
    myFiles,
    (page) => page && { ...page, files: page.files.map(changeFile) },
  )
}

const shownFiles = (cache: QueryClient): File[] =>
  cache.getQueriesData<Page>(myFiles).flatMap(([, page]) => page?.files ?? [])
