import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useClient } from '../../lib/client/client-context'
import { queryKeys } from '../../lib/client/query-keys'

export const PAGE_SIZE = 50

/** The previous page stays visible until the next one arrives. */
export function usePublicFiles(search: string, page: number) {
  const client = useClient()
  const [debouncedSearch] = useDebouncedValue(search.trim(), 200)
  return useQuery({
    queryKey: [...queryKeys.files.public(debouncedSearch), page],
    queryFn: ({ signal }) =>
      client.files.listPublic(
        {
          ...(debouncedSearch === '' ? {} : { search: debouncedSearch }),
          limit: PAGE_SIZE,
          offset: (page - 1) * PAGE_SIZE,
        },
        signal,
      ),
    placeholderData: keepPreviousData,
  })
}
