import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import type { ManageSession } from '../../../../server/contract'
import { ApiError } from '../../../lib/client/api-client'
import { useClient } from '../../../lib/client/client-context'
import { failureText } from '../../../lib/client/failure'
import { hostMessages } from '../../../lib/words/host-messages'
import { queryKeys } from '../../../lib/client/query-keys'
import { paths } from '../../../paths'
import { notifyError } from '../../../ui/feedback/notify'

export function useManageSessions() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.manageSessions,
    queryFn: async ({ signal }) => (await client.manage.list({}, signal)).sessions,
    refetchInterval: 60_000,
  })
}

/** Ends a session. One that just ended by itself is no failure; ending the own one leaves the host pages. */
export function useEndManaging() {
  const client = useClient()
  const cache = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ manage_id: id }: ManageSession) => client.manage.end({ id }),
    onSuccess: async (_, { current }) => {
      if (!current) return
      await navigate(paths.dashboard)
      await cache.invalidateQueries({ queryKey: queryKeys.session })
    },
    onError: (cause) => {
      const isOver = cause instanceof ApiError && cause.status === 404
      if (!isOver) notifyError(failureText(cause, { failed: hostMessages.host.endManagingFailed }))
    },
    onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.manageSessions }),
  })
}
