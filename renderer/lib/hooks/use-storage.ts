import { useQuery } from '@tanstack/react-query'
import { useClient } from '../client/client-context'
import { queryKeys } from '../client/query-keys'

export function useStorage() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.storage,
    queryFn: async ({ signal }) => (await client.storage.stats({}, signal)).stats,
  })
}
