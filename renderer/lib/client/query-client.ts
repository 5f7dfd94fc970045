import { MutationCache, notifyManager, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from './api-client'
import { onReconnect, watchNetwork } from './connection'
import { queryKeys } from './query-keys'

/** Retries transient failures (no answer, 5xx), never refusals. */
function mayPass(failures: number, cause: Error): boolean {
  if (failures >= 2) return false
  return !(cause instanceof ApiError) || cause.code === 'offline' || cause.status >= 500
}

/**
 * The query client. It renders a pending state before the next click, so that a double click sends
 * nothing twice.
 */
export function createQueryClient(): QueryClient {
  notifyManager.setScheduler(queueMicrotask)

  const queries: QueryClient = new QueryClient({
    mutationCache: new MutationCache({ onError: (cause) => void refreshHostState(queries, cause) }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: mayPass,
        retryDelay: (attempt) => 400 * 2 ** attempt,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })

  watchNetwork()
  onReconnect(() => void loadAgain(queries))

  return queries
}

/** Refetches what is shown. Calls of the lost connection may never end. */
async function loadAgain(queries: QueryClient): Promise<void> {
  await queries.cancelQueries()
  await queries.invalidateQueries()
}

/** Refetches the host's state, so that every page shows why nothing can be saved. */
async function refreshHostState(queries: QueryClient, cause: Error): Promise<void> {
  const isInTrouble = cause instanceof ApiError && ['read_only', 'disk_full'].includes(cause.code)
  if (isInTrouble) await refresh(queries, queryKeys.host)
}

/** Refetches shown queries under the keys, and makes the other ones stale. */
export async function refresh(cache: QueryClient, ...keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })))
}
