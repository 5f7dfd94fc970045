import { useQuery } from '@tanstack/react-query'
import { useClient } from './client-context'
import { queryKeys } from './query-keys'

/** The projects of the signed-in person and those shared with them, newest first. */
export function useMyProjects() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.projects.mine,
    queryFn: async ({ signal }) => (await client.projects.mine({}, signal)).projects,
  })
}
