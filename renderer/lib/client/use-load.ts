import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import type { Client } from './api-client'
import { useClient } from './client-context'

/** What a call returns, kept under a key until it is refreshed, and loaded again as the options say. */
export function useLoad<Data>(
  queryKey: QueryKey,
  load: (client: Client, signal: AbortSignal) => Promise<Data>,
  options: Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'> = {},
) {
  const client = useClient()
  return useQuery({ ...options, queryKey, queryFn: ({ signal }) => load(client, signal) })
}
