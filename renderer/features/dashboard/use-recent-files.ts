import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../lib/client/client-context'
import { queryKeys } from '../../lib/client/query-keys'

const RECENT = { limit: 5 }

export function useRecentFiles() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.files.mine(RECENT),
    queryFn: ({ signal }) => client.files.mine(RECENT, signal),
  })
}
