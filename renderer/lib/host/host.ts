import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { RESUMABLE_UPLOADS, type Host, type ResumableLimits } from '../../../server/contract'
import { useClient } from '../client/client-context'
import { onHostChanged, onProjectChanged } from '../browser/desktop'
import { queryKeys } from '../client/query-keys'

/** What is shown until the host has said more about itself. */
const unknownHost = (): Host => ({
  version: '',
  share_url: window.location.origin,
  reachable: false,
  registration_open: true,
  read_only: false,
  trouble: null,
  resumable_uploads: RESUMABLE_UPLOADS,
})

/** This host: its version, and the address under which others reach it. */
export function useHost(): Host {
  return useQuery(useAbout()).data ?? unknownHost()
}

/** How the host wants large files, as far as it has said so. */
export const resumableUploadsOf = (cache: QueryClient): ResumableLimits =>
  cache.getQueryData<Host>(queryKeys.host)?.resumable_uploads ?? RESUMABLE_UPLOADS

/** Why the host cannot save anything; null: it can. Asked again and again, more often while that is so. */
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

/**
 * In the app window: learns at once when the host is shared on its network, or no longer, and when somebody has changed
 * a project.
 */
export function useHostChanges(): void {
  const queries = useQueryClient()
  useEffect(() => onHostChanged(() => void queries.invalidateQueries({ queryKey: queryKeys.host })), [queries])
  useEffect(
    () => onProjectChanged(() => void queries.invalidateQueries({ queryKey: queryKeys.projects.all })),
    [queries],
  )
}

/** Turns a path into the address that people copy: `shareUrl('/p/lantern')`. */
export function useShareUrl(): (path: string) => string {
  const host = useHost()
  return (path) => shareUrl(host, path)
}

/** Never an address that only this computer knows, when a better one exists. */
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
