import { keepPreviousData } from '@tanstack/react-query'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'
import type { FileFilter } from './use-file-filter'

export const FILES_PER_PAGE = 50

/** The previous page stays visible until the next one arrives. */
export function useMyFiles({ visibility, search, page }: FileFilter) {
  const query = {
    visibility,
    ...(search === '' ? {} : { search }),
    limit: FILES_PER_PAGE,
    offset: (page - 1) * FILES_PER_PAGE,
  }
  return useLoad(queryKeys.files.mine(query), (client, signal) => client.files.mine(query, signal), {
    placeholderData: keepPreviousData,
  })
}
