import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../../lib/client/client-context'
import { queryKeys } from '../../../lib/client/query-keys'
import { LONGEST_RANGE } from './history'

export function useProjectHistory(id: string) {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.projects.history(id),
    queryFn: ({ signal }) => client.projects.history({ id, days: LONGEST_RANGE }, signal),
  })
}
