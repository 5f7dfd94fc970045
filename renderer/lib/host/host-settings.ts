import type { HostSettings } from '../../../server/contract'
import { queryKeys } from '../client/query-keys'
import { useCall } from '../client/use-call'
import { useLoad } from '../client/use-load'
import { messages } from '../texts/messages'

/** The settings, for those who manage the host. */
export const useHostSettings = (isNeeded = true) =>
  useLoad(queryKeys.settings, (client, signal) => client.settings.show({}, signal), {
    enabled: isNeeded,
  })

const stale = [queryKeys.host, queryKeys.activity, queryKeys.addresses, queryKeys.people.list]

/** Changes settings. A form shows a failure itself; `failed`: the message of one elsewhere. */
export const useChangeSettings = (failed?: string) =>
  useCall(
    (
      client,
      change: Partial<HostSettings> & { name_update_password?: string; mail_password?: string },
    ) => client.settings.change(change),
    {
      after: (cache, reply) => cache.setQueryData(queryKeys.settings, reply),
      failed,
      refresh: stale,
    },
  )

export const useSettleRestored = () =>
  useCall((client, accept: boolean) => client.settings.settleRestored({ accept }), {
    after: (cache, reply) => cache.setQueryData(queryKeys.settings, reply),
    failed: messages.host.saveFailed,
    refresh: stale,
  })

export const useKeepNewKeys = () =>
  useCall((client) => client.settings.keepNewKeys({}), {
    after: (cache, reply) => cache.setQueryData(queryKeys.settings, reply),
    failed: messages.host.saveFailed,
  })

/** Shares the host on its network, or stops sharing. Running transfers continue. */
export function useSetSharing() {
  const { mutateAsync, isPending } = useChangeSettings('Failed to change who can reach this host')
  const setSharing = (sharing: boolean, onDone?: () => void) => {
    // Settled, because only then is the new address known, and a row that shows this may be gone by
    // then.
    mutateAsync({ sharing }).then(onDone, () => undefined)
  }
  return { setSharing, isPending }
}
