import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useClient } from '../../lib/client/client-context'
import { queryKeys } from '../../lib/client/query-keys'

export const BUILDS_PER_PAGE = 50

/** The previous page stays visible until the next one arrives. */
export function useBuilds(page: number) {
  const client = useClient()
  return useQuery({
    queryKey: [...queryKeys.builds.list, page],
    queryFn: ({ signal }) =>
      client.builds.list({ limit: BUILDS_PER_PAGE, offset: (page - 1) * BUILDS_PER_PAGE }, signal),
    placeholderData: keepPreviousData,
  })
}

export function useBuildStats() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.builds.stats,
    queryFn: async ({ signal }) => (await client.builds.stats({}, signal)).stats,
  })
}
