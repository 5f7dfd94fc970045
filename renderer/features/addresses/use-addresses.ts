import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onHostChanged } from '../../lib/browser/desktop'
import { useLoad } from '../../lib/client/use-load'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'

/** The addresses of this host, best first, each with the result of its test. */
export function useAddresses(everyMs = 60_000) {
  const cache = useQueryClient()
  useEffect(() => onHostChanged(() => void refresh(cache, queryKeys.addresses)), [cache])

  const query = useLoad(
    queryKeys.addresses,
    async (client, signal) => (await client.host.addresses({}, signal)).addresses,
    { refetchInterval: everyMs },
  )

  const testing = useCall((client) => client.host.addresses({ retest: 'true' }), {
    after: (cache, { addresses }) => cache.setQueryData(queryKeys.addresses, addresses),
    failed: 'The addresses could not be tested',
  })

  return { ...query, testAgain: () => testing.mutate(), isTesting: testing.isPending }
}
