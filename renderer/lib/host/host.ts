import { useQueryClient, type QueryClient, type UseQueryOptions } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Host, ResumableLimits } from '../../../server/contract'
import { LARGEST_FILE, RESUMABLE_UPLOADS } from '../../../server/contract/limits'
import { onHostChanged, onProjectChanged } from '../browser/desktop'
import { refresh } from '../client/query-client'
import { queryKeys } from '../client/query-keys'
import { useLoad } from '../client/use-load'

const unknownHost = (): Host => ({
  version: '',
  share_url: window.location.origin,
  reachable: false,
  registration_open: true,
  needs_setup: false,
  read_only: false,
  trouble: null,
  resumable_uploads: RESUMABLE_UPLOADS,
  largest_file: LARGEST_FILE.usual,
  sends_mail: false,
  passkey_origins: [],
  single_sign_on: null,
  demo: null,
})

export const useHost = (): Host => useAbout().data ?? unknownHost()

/** The host as last reported. */
export const hostIn = (cache: QueryClient): Host =>
  cache.getQueryData<Host>(queryKeys.host) ?? unknownHost()

/**
 * Whether only this computer opens links of the host. Until the host has answered, it says nothing
 * about its reach.
 */
export const isAlone = ({ reachable, version }: Host): boolean => version !== '' && !reachable

export const useIsAlone = (): boolean => isAlone(useHost())

export const resumableUploadsOf = (cache: QueryClient): ResumableLimits =>
  hostIn(cache).resumable_uploads

/** Why the host cannot save, or null. Polls, more often while that is so. */
export function useHostTrouble(): Host['trouble'] {
  const { data } = useAbout(({ state }) =>
    (state.data?.trouble ?? null) === null ? 60_000 : 5_000,
  )
  return data?.trouble ?? null
}

const useAbout = (refetchInterval: UseQueryOptions<Host>['refetchInterval'] = false) =>
  useLoad(queryKeys.host, async (client, signal) => (await client.host.about({}, signal)).host, {
    staleTime: 60_000,
    refetchInterval,
  })

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

export function shareUrl(
  host: Pick<Host, 'share_url'>,
  path: string,
  origin = window.location.origin,
): string {
  const base = isLoopback(host.share_url) && !isLoopback(origin) ? origin : host.share_url
  return base.replace(/\/$/, '') + path
}

function isLoopback(address: string): boolean {
  const { hostname } = new URL(address)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    hostname.startsWith('127.')
  )
}
