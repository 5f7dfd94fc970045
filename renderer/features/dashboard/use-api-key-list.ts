import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../lib/client/client-context'
import { queryKeys } from '../../lib/client/query-keys'

export function useApiKeyList() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.apiKeys,
    queryFn: async ({ signal }) => (await client.apiKeys.list({}, signal)).keys,
  })
}
