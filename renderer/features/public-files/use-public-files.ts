import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'

export const PAGE_SIZE = 50

/** The previous page stays visible until the next one arrives. */
export function usePublicFiles(search: string, page: number) {
  const [debouncedSearch] = useDebouncedValue(search.trim(), 200)
  return useLoad(
    [...queryKeys.files.public(debouncedSearch), page],
    (client, signal) =>
      client.files.listPublic(
        {
          ...(debouncedSearch === '' ? {} : { search: debouncedSearch }),
          limit: PAGE_SIZE,
          offset: (page - 1) * PAGE_SIZE,
        },
        signal,
      ),
    { placeholderData: keepPreviousData },
  )
}
