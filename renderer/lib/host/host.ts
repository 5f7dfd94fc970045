import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { RESUMABLE_UPLOADS, type Host, type ResumableLimits } from '../../../server/contract'
import { useClient } from '../client/client-context'
import { onHostChanged, onProjectChanged } from '../browser/desktop'
import { refresh } from '../client/query-client'
import { queryKeys } from '../client/query-keys'

const unknownHost = (): Host => ({
  version: '',
  share_url: window.location.origin,
  reachable: false,
  registration_open: true,
  read_only: false,
  trouble: null,
  resumable_uploads: RESUMABLE_UPLOADS,
})

export function useHost(): Host {
  return useQuery(useAbout()).data ?? unknownHost()
}

export const resumableUploadsOf = (cache: QueryClient): ResumableLimits =>
  cache.getQueryData<Host>(queryKeys.host)?.resumable_uploads ?? RESUMABLE_UPLOADS

/** Why the host cannot save, or null. Polls, more often while that is so. */
export function useHostTrouble(): Host['trouble'] {
  const { data } = useQuery({
    ...useAbout(),
    refetchInterval: ({ state }) => ((state.data?.trouble ?? null) === null ? 60_000 : 5_000),
  })
  return data?.trouble ?? null
}

function useAbout() {
  const client = useClient()
  return queryOptions({
    queryKey: queryKeys.host,
    queryFn: async ({ signal }) => (await client.host.about({}, signal)).host,
    staleTime: 60_000,
  })
}

/** In the app window: refetches after changes of the network or of projects. */
export function useHostChanges(): void {
  const queries = useQueryClient()
  useEffect(() => onHostChanged(() => void refresh(queries, queryKeys.host)), [queries])
  useEffect(() => onProjectChanged(() => void refresh(queries, queryKeys.projects.all)), [queries])
}

/** Turns a path into a full share address: `shareUrl('/p/lantern')`. */
export function useShareUrl(): (path: string) => string {
  const host = useHost()
  return (path) => shareUrl(host, path)
}

export function shareUrl(host: Pick<Host, 'share_url'>, path: string, origin = window.location.origin): string {
  const base = isLoopback(host.share_url) && !isLoopback(origin) ? origin : host.share_url
  return base.replace(/\/$/, '') + path
}

function isLoopback(address: string): boolean {
  const { hostname } = new URL(address)
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname.startsWith('127.')
  )
}
