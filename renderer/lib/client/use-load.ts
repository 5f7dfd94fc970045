import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import type { Client } from './api-client'
import { useClient } from './client-context'

/** Refetch interval of an open page. Stays below the hourly rate limit. */
export const ASK_EVERY_MS = 20_000

/**
 * Loads the result of a call and caches it under a key. Refetches on `refresh` and as the options
 * say.
 */
export function useLoad<Data>(
  queryKey: QueryKey,
  load: (client: Client, signal: AbortSignal) => Promise<Data>,
  options: Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'> = {},
) {
  const client = useClient()
  return useQuery({ ...options, queryKey, queryFn: ({ signal }) => load(client, signal) })
}
