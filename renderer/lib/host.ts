import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Host } from '../../server/contract'
import { useClient } from './client-context'
import { onHostChanged } from './desktop'
import { queryKeys } from './query-keys'

/** What is shown until the host has said more about itself. */
const unknownHost = (): Host => ({
  version: '',
  share_url: window.location.origin,
  reachable: false,
  registration_open: true,
  read_only: false,
})

/** This host: its version, and the address under which others reach it. */
export function useHost(): Host {
  const client = useClient()
  const about = useQuery({
    queryKey: queryKeys.host,
    queryFn: async ({ signal }) => (await client.host.about({}, signal)).host,
    staleTime: 60_000,
  })
  return about.data ?? unknownHost()
}

/** In the app window: learns at once when the host is shared on its network, or no longer. */
export function useHostChanges(): void {
  const queries = useQueryClient()
  useEffect(() => onHostChanged(() => void queries.invalidateQueries({ queryKey: queryKeys.host })), [queries])
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
