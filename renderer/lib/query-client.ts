import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-client'

/** Retries what may pass by itself (no answer, 5xx) and never what the host refused. */
function mayPass(failures: number, cause: Error): boolean {
  if (failures >= 2) return false
  return !(cause instanceof ApiError) || cause.code === 'offline' || cause.status >= 500
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: mayPass, retryDelay: (attempt) => 400 * 2 ** attempt, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
}
