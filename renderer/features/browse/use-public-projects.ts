import { useDebouncedValue } from '@mantine/hooks'
import { useClient } from '../../lib/client/client-context'
import { queryKeys } from '../../lib/client/query-keys'
import { useLongList } from '../../lib/hooks/use-long-list'
import { CARDS_AT_ONCE } from '../../ui/table/card-grid'

/** Public projects that match a search; the previous results stay until new ones arrive. */
export function usePublicProjects(search: string) {
  const client = useClient()
  const [debouncedSearch] = useDebouncedValue(search.trim(), 200)
  return useLongList({
    queryKey: queryKeys.projects.public(debouncedSearch),
    limit: CARDS_AT_ONCE,
    load: async (page, signal) => {
      const filter = debouncedSearch === '' ? page : { search: debouncedSearch, ...page }
      const { projects, total } = await client.projects.listPublic(filter, signal)
      return { items: projects, total }
    },
    idOf: ({ project_id }) => project_id,
  })
}
