import { useQuery } from '@tanstack/react-query'
import { ApiError, type Client } from './api-client'
import { useClient } from './client-context'
import { queryKeys } from './query-keys'
import { useSession } from './session'

/**
 * Whether the host account looks at this page in the app window; undefined while that is not known. Anywhere else its
 * calls do not exist.
 */
export function useManagesHost(): boolean | undefined {
  const client = useClient()
  const isHost = useSession().user?.is_host ?? false
  const { data } = useQuery({
    queryKey: queryKeys.people.window,
    queryFn: ({ signal }) => isAnswered(client, signal),
    enabled: isHost,
    staleTime: Infinity,
  })
  return isHost ? data : false
}

async function isAnswered(client: Client, signal: AbortSignal): Promise<boolean> {
  try {
    await client.people.list({ limit: 1 }, signal)
    return true
  } catch (cause) {
    if (cause instanceof ApiError && cause.status === 404) return false
    throw cause
  }
}
