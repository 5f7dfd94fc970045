import { useLoad } from '../client/use-load'
import { queryKeys } from '../client/query-keys'
import { loadAll } from './use-long-list'

/** All projects that the person owns or works on, newest first. */
export const useMyProjects = () =>
  useLoad(queryKeys.projects.mine, (client, signal) =>
    loadAll(
      async (page) => {
        const { projects, total } = await client.projects.mine(page, signal)
        return { items: projects, total }
      },
      ({ project_id }) => project_id,
    ),
  )
