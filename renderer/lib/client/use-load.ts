import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import type { Client } from './api-client'
import { useClient } from './client-context'

/** How often an open page asks for what others change: seldom enough for the calls of an hour. */
export const ASK_EVERY_MS = 20_000

/**
 * What a call returns, kept under a key until it is refreshed, and loaded again as the options say.
 */
export function useLoad<Data>(
  queryKey: QueryKey,
  load: (client: Client, signal: AbortSignal) => Promise<Data>,
  options: Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'> = {},
) {
  const client = useClient()
  return useQuery({ ...options, queryKey, queryFn: ({ signal }) => load(client, signal) })
}
