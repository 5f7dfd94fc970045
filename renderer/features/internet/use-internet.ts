import { useIsFetching, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { InternetView, TunnelChoice } from '../../../server/contract'
import { useLoad } from '../../lib/client/use-load'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { internetWords } from './internet-words'

/** Counts of the last hour. The activity stream reports changes of the state. */
const COUNTS_EVERY_MS = 60_000
const CHECKED_FOR_MS = 5 * 60_000

export interface OpenChoice {
  way: 'router' | 'tunnel'
  terms_accepted: boolean
  keep_registration_open: boolean
  port?: number
  tunnel?: TunnelChoice
}

/** How people outside reach this host. The activity stream refreshes it. */
export const useInternet = (everyMs = COUNTS_EVERY_MS) =>
  useLoad(
    queryKeys.internet,
    async (client, signal) => (await client.internet.show({}, signal)).internet,
    { refetchInterval: everyMs },
  )

export const isMoving = ({ state }: InternetView): boolean =>
  state === 'opening' || state === 'checking'

/**
 * While the host is not shared, checks on page load what the router allows. Contacts nothing
 * outside the network.
 */
export function useFirstCheck(view: InternetView | undefined): void {
  const cache = useQueryClient()
  const { data } = useLoad(
    queryKeys.internetCheck,
    async (client) => (await client.internet.check({})).internet,
    { enabled: view?.way === 'off' && !isMoving(view), staleTime: CHECKED_FOR_MS, retry: false },
  )

  useEffect(() => void (data && refresh(cache, queryKeys.internet)), [data, cache])
}

const keep = (cache: QueryClient, { internet }: { internet: InternetView }) =>
  cache.setQueryData(queryKeys.internet, internet)
const stale = [queryKeys.host, queryKeys.addresses, queryKeys.settings, queryKeys.people.list]

/**
 * Calls that change the state. A dialog shows a failure of `opening` itself; `failed`: the message
 * of one elsewhere.
 */
export function useInternetActions(failed?: string) {
  const opening = useCall((client, choice: OpenChoice) => client.internet.open(choice), {
    after: keep,
    failed,
    refresh: stale,
  })

  const closing = useCall((client) => client.internet.close({}), {
    after: keep,
    failed: internetWords.closeFailed,
    refresh: stale,
  })

  // The host opens nothing while it checks.
  const isChecking = useIsFetching({ queryKey: queryKeys.internetCheck }) > 0
  return { opening, closing, isBusy: opening.isPending || isChecking }
}
