import { keepPreviousData } from '@tanstack/react-query'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'

export const BUILDS_PER_PAGE = 50

/** The previous page stays visible until the next one arrives. */
export const useBuilds = (page: number) =>
  useLoad(
    [...queryKeys.builds.list, page],
    (client, signal) =>
      client.builds.list({ limit: BUILDS_PER_PAGE, offset: (page - 1) * BUILDS_PER_PAGE }, signal),
    { placeholderData: keepPreviousData },
  )

export const useBuildStats = () =>
  useLoad(
    queryKeys.builds.stats,
    async (client, signal) => (await client.builds.stats({}, signal)).stats,
  )
