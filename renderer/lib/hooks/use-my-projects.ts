import { useQuery } from '@tanstack/react-query'
import { useClient } from '../client/client-context'
import { queryKeys } from '../client/query-keys'
import { loadAll } from './use-long-list'

export function useMyProjects() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.projects.mine.all,
    queryFn: ({ signal }) =>
      loadAll(
        async (page) => {
          const { projects, total } = await client.projects.mine(page, signal)
          return { items: projects, total }
        },
        ({ project_id }) => project_id,
      ),
  })
}
