import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../client/api-client'
import { queryKeys } from '../client/query-keys'
import { useCall } from '../client/use-call'
import { useLoad } from '../client/use-load'
import { messages } from '../texts/messages'

/** Loads the settings. Only accounts that manage the host may read them. */
export const useHostSettings = (isNeeded = true) =>
  useLoad(queryKeys.settings, (client, signal) => client.settings.show({}, signal), {
    enabled: isNeeded,
  })

/** What a change of the settings makes stale. */
const stale = [queryKeys.host, queryKeys.activity, queryKeys.addresses, queryKeys.people.list]

type Change = Parameters<Client['settings']['change']>[0]

const keepReply = (cache: QueryClient, reply: Awaited<ReturnType<Client['settings']['show']>>) =>
  cache.setQueryData(queryKeys.settings, reply)

/**
 * Changes settings. `failed`: the title of the message about a failure; without it the caller (a
 * form) shows the failure.
 */
export const useChangeSettings = (failed?: string) =>
  useCall((client, change: Change) => client.settings.change(change), {
    after: keepReply,
    failed,
    refresh: stale,
  })

/** Applies or discards the pending settings of a restored backup. */
export const useSettleRestored = () =>
  useCall((client, accept: boolean) => client.settings.settleRestored({ accept }), {
    after: keepReply,
    failed: messages.host.saveFailed,
    refresh: stale,
  })

/** Signs repositories with new keys from now on, because the earlier ones are lost. */
export const useKeepNewKeys = () =>
  useCall((client) => client.settings.keepNewKeys({}), {
    after: keepReply,
    failed: messages.host.saveFailed,
  })

/** Shares the host on its network, or stops sharing. Running transfers continue. */
export function useSetSharing() {
  const { mutateAsync, isPending } = useChangeSettings('Failed to change who can reach this host')
  const setSharing = (sharing: boolean, onDone?: () => void) => {
    // Resolves after the addresses are refreshed, even if the row that shows this is unmounted by
    // then.
    mutateAsync({ sharing }).then(onDone, () => undefined)
  }
  return { setSharing, isPending }
}
