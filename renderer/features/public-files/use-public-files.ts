import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useClient } from '../../lib/client/client-context'
import { queryKeys } from '../../lib/client/query-keys'

export const PAGE_SIZE = 50

/** One page of the public files that a search finds; the page before stays until the next is there. */
export function usePublicFiles(search: string, page: number) {
  const client = useClient()
  const [asked] = useDebouncedValue(search.trim(), 200)
  return useQuery({
    queryKey: [...queryKeys.files.public(asked), page],
    queryFn: ({ signal }) =>
      client.files.listPublic(
        { ...(asked === '' ? {} : { search: asked }), limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
        signal,
      ),
    placeholderData: keepPreviousData,
  })
}
