import type { HostSettings } from '../../../server/contract'
import { useLoad } from '../../lib/client/use-load'
import { useCall } from '../../lib/client/use-call'
import { messages } from '../../lib/texts/messages'
import { queryKeys } from '../../lib/client/query-keys'

export const useHostSettings = () => useLoad(queryKeys.settings, (client, signal) => client.settings.show({}, signal))

const stale = [queryKeys.host, queryKeys.activity, queryKeys.addresses, queryKeys.people.list]

/** Changes settings. A form shows a failure itself; `failed`: the message of one elsewhere. */
export const useChangeSettings = (failed?: string) =>
  useCall(
    (client, change: Partial<HostSettings> & { name_update_password?: string }) => client.settings.change(change),
    { after: (cache, reply) => cache.setQueryData(queryKeys.settings, reply), failed, refresh: stale },
  )

export const useSettleRestored = () =>
  useCall((client, accept: boolean) => client.settings.settleRestored({ accept }), {
    after: (cache, reply) => cache.setQueryData(queryKeys.settings, reply),
    failed: messages.host.saveFailed,
    refresh: stale,
  })

/** Shares the host on its network, or stops sharing. Running transfers continue. */
export function useSetSharing() {
  const { mutate, isPending } = useChangeSettings('Failed to change who can reach this host')
  return { setSharing: (sharing: boolean) => mutate({ sharing }), isPending }
}
