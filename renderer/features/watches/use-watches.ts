import { useQueryClient } from '@tanstack/react-query'
import { useDidUpdate } from '@mantine/hooks'
import type { Watch } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { useLoad } from '../../lib/client/use-load'
import { refresh } from '../../lib/client/query-client'
import { useCall } from '../../lib/client/use-call'
import { messages } from '../../lib/texts/messages'
import { fileLists, queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'

const ASK_EVERY_MS = 2000

export function useWatches(projectId: string) {
  const cache = useQueryClient()
  const query = useLoad(
    queryKeys.watches(projectId),
    async (client, signal) => (await client.watches.list({ id: projectId }, signal)).watches,
    { refetchInterval: ASK_EVERY_MS },
  )

  const builds =
    query.data?.flatMap(({ recent }) => recent.filter(({ outcome }) => outcome === 'published')) ??
    []
  const newest = builds.map(({ at }) => at).sort()
  useDidUpdate(() => void refresh(cache, ...fileLists), [newest.at(-1)])

  return query
}

export type WatchChange = Omit<Parameters<Client['watches']['change']>[0], 'id' | 'watchId'>

/** Pause, resume, retry and stop, each with its failure message. */
export function useWatchActions(projectId: string) {
  const stale = [queryKeys.watches(projectId)]
  const changing = useCall(
    (client, { watchId, ...change }: WatchChange & { watchId: string }) =>
      client.watches.change({ id: projectId, watchId, ...change }),
    { failed: messages.watch.changeFailed, refresh: stale },
  )

  const removal = useCall(
    (client, { watch_id: watchId }: Watch) => client.watches.remove({ id: projectId, watchId }),
    {
      ask: ({ folder }) =>
        confirm({
          title: 'Stop watching',
          message: `New builds in ${folder} are ignored. Published files stay.`,
          confirmLabel: 'Stop watching',
        }),
      failed: 'Failed to stop watching the folder',
      refresh: stale,
    },
  )

  return {
    change: ({ watch_id: watchId }: Watch, change: WatchChange) =>
      changing.mutate({ watchId, ...change }),
    remove: removal.mutate,
  }
}
