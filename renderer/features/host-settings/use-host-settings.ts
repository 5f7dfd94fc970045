import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { HostSettings } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { hostMessages } from '../../lib/texts/host-messages'
import { queryKeys } from '../../lib/client/query-keys'
import { notifyError } from '../../ui/feedback/notify'

export function useHostSettings() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.settings,
    queryFn: ({ signal }) => client.settings.show({}, signal),
  })
}

export function useChangeSettings() {
  const client = useClient()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (change: Partial<HostSettings> & { name_update_password?: string }) => client.settings.change(change),
    onSuccess: async (reply) => {
      cache.setQueryData(queryKeys.settings, reply)
      const stale = [queryKeys.host, queryKeys.activity, queryKeys.addresses, queryKeys.people.list]
      await Promise.all(stale.map((queryKey) => cache.invalidateQueries({ queryKey })))
    },
  })
}

export function useSettleRestored() {
  const client = useClient()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (accept: boolean) => client.settings.settleRestored({ accept }),
    onSuccess: async (reply) => {
      cache.setQueryData(queryKeys.settings, reply)
      const stale = [queryKeys.host, queryKeys.activity, queryKeys.addresses]
      await Promise.all(stale.map((queryKey) => cache.invalidateQueries({ queryKey })))
    },
    onError: (cause) => notifyError(failureText(cause, { failed: hostMessages.host.saveFailed })),
  })
}

/** Shares the host on its network, or stops sharing. Running transfers continue. */
export function useSetSharing() {
  const { mutate, isPending } = useChangeSettings()
  const setSharing = (sharing: boolean) =>
    mutate(
      { sharing },
      { onError: (cause) => notifyError(failureText(cause, { failed: hostMessages.host.sharingFailed })) },
    )
  return { setSharing, isPending }
}
