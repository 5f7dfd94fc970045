import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'
import { FILES_A_PAGE } from '../../visitor/lists/files'

/** The previous page stays visible until the next one arrives. */
export function usePublicFiles(search: string, page: number) {
  const [debouncedSearch] = useDebouncedValue(search.trim(), 200)

  return useLoad(
    [...queryKeys.files.public(debouncedSearch), page],
    (client, signal) =>
      client.files.listPublic(
        {
          ...(debouncedSearch === '' ? {} : { search: debouncedSearch }),
          limit: FILES_A_PAGE,
          offset: (page - 1) * FILES_A_PAGE,
        },
        signal,
      ),
    { placeholderData: keepPreviousData },
  )
}
