import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onHostChanged } from '../../lib/browser/desktop'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { queryKeys } from '../../lib/client/query-keys'
import { notifyError } from '../../ui/feedback/notify'

/** The addresses of this host, best first, each with the result of its test. */
export function useAddresses(everyMs = 60_000) {
  const client = useClient()
  const cache = useQueryClient()
  useEffect(() => onHostChanged(() => void cache.invalidateQueries({ queryKey: queryKeys.addresses })), [cache])
  const query = useQuery({
    queryKey: queryKeys.addresses,
    queryFn: async ({ signal }) => (await client.host.addresses({}, signal)).addresses,
    refetchInterval: everyMs,
  })
  const testing = useMutation({
    mutationFn: () => client.host.addresses({ retest: 'true' }),
    onSuccess: ({ addresses }) => cache.setQueryData(queryKeys.addresses, addresses),
    onError: (cause) => notifyError(failureText(cause, { failed: 'The addresses could not be tested' })),
  })
  return { ...query, testAgain: () => testing.mutate(), isTesting: testing.isPending }
}
