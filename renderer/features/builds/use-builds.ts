import { keepPreviousData } from '@tanstack/react-query'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'

export const BUILDS_PER_PAGE = 50

const pageOf = (page: number) => ({
  limit: BUILDS_PER_PAGE,
  offset: (page - 1) * BUILDS_PER_PAGE,
})

/** The applications, or one of them. The previous page stays visible until the next one arrives. */
export const useApplications = (application: string, page: number) =>
  useLoad(
    [...queryKeys.builds.applications, application, page],
    (client, signal) =>
      client.builds.applications(
        application === '' ? pageOf(page) : { application, ...pageOf(1) },
        signal,
      ),
    { placeholderData: keepPreviousData },
  )

/** The builds of an application. */
export const useBuilds = (application: string, page: number) =>
  useLoad(
    [...queryKeys.builds.list, application, page],
    (client, signal) => client.builds.list({ application, ...pageOf(page) }, signal),
    { placeholderData: keepPreviousData },
  )

export const useBuildStats = () =>
  useLoad(
    queryKeys.builds.stats,
    async (client, signal) => (await client.builds.stats({}, signal)).stats,
  )
