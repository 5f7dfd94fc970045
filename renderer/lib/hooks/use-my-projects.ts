import { useLoad } from '../client/use-load'
import { queryKeys } from '../client/query-keys'
import { loadAll } from './use-long-list'

export const useMyProjects = () =>
  useLoad(queryKeys.projects.mine.all, (client, signal) =>
    loadAll(
      async (page) => {
        const { projects, total } = await client.projects.mine(page, signal)
        return { items: projects, total }
      },
      ({ project_id }) => project_id,
    ),
  )
