import { useIsFetching, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { InternetView, TunnelChoice } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { queryKeys } from '../../lib/client/query-keys'
import { notifyError } from '../../ui/feedback/notify'
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
export function useInternet(everyMs = COUNTS_EVERY_MS) {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.internet,
    queryFn: async ({ signal }) => (await client.internet.show({}, signal)).internet,
    refetchInterval: everyMs,
  })
}

export const isMoving = ({ state }: InternetView): boolean => state === 'opening' || state === 'checking'

/** While the host is closed, asks the router what it allows when the page opens. Asks nothing outside the network. */
export function useFirstCheck(view: InternetView | undefined): void {
  const client = useClient()
  const cache = useQueryClient()
  const { data } = useQuery({
    queryKey: queryKeys.internetCheck,
    queryFn: async () => (await client.internet.check({})).internet,
    enabled: view?.way === 'off' && !isMoving(view),
    staleTime: CHECKED_FOR_MS,
    retry: false,
  })
  useEffect(() => void (data && cache.invalidateQueries({ queryKey: queryKeys.internet })), [data, cache])
}

/** Calls that change the state. Failures appear as a message, except those of `open`, which a dialog shows. */
export function useInternetActions() {
  const client = useClient()
  const cache = useQueryClient()
  const keep = async ({ internet }: { internet: InternetView }) => {
    cache.setQueryData(queryKeys.internet, internet)
    const stale = [queryKeys.host, queryKeys.addresses, queryKeys.settings, queryKeys.people.list]
    await Promise.all(stale.map((queryKey) => cache.invalidateQueries({ queryKey })))
  }
  const opening = useMutation({ mutationFn: (choice: OpenChoice) => client.internet.open(choice), onSuccess: keep })
  const closing = useMutation({
    mutationFn: () => client.internet.close({}),
    onSuccess: keep,
    onError: (cause) => notifyError(failureText(cause, { failed: internetWords.closeFailed })),
  })
  // The host opens nothing while it checks.
  const isChecking = useIsFetching({ queryKey: queryKeys.internetCheck }) > 0
  return { opening, closing, isBusy: opening.isPending || isChecking }
}
