import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-client'
import { queryKeys } from './query-keys'

/** Retries what may pass by itself (no answer, 5xx) and never what the host refused. */
function mayPass(failures: number, cause: Error): boolean {
  if (failures >= 2) return false
  return !(cause instanceof ApiError) || cause.code === 'offline' || cause.status >= 500
}

/**
 * The client of all queries and changes. What starts is known to the page before the next click, so that a double click
 * sends nothing twice.
 */
export function createQueryClient(): QueryClient {
  notifyManager.setScheduler(queueMicrotask)
  const queries: QueryClient = new QueryClient({
    mutationCache: new MutationCache({ onError: (cause) => void learnWhy(queries, cause) }),
    defaultOptions: {
      queries: { staleTime: 5_000, retry: mayPass, retryDelay: (attempt) => 400 * 2 ** attempt, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
  return queries
}

/** A host that can save nothing says why on every page. */
async function learnWhy(queries: QueryClient, cause: Error): Promise<void> {
  const isInTrouble = cause instanceof ApiError && ['read_only', 'disk_full'].includes(cause.code)
  if (isInTrouble) await queries.invalidateQueries({ queryKey: queryKeys.host })
}
