import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDidUpdate } from '@mantine/hooks'
import type { Watch } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { hostMessages } from '../../lib/texts/host-messages'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'
import { notifyError } from '../../ui/feedback/notify'

const ASK_EVERY_MS = 2000

export function useWatches(projectId: string) {
  const client = useClient()
  const cache = useQueryClient()
  const query = useQuery({
    queryKey: queryKeys.watches(projectId),
    queryFn: async ({ signal }) => (await client.watches.list({ id: projectId }, signal)).watches,
    refetchInterval: ASK_EVERY_MS,
  })
  const builds = query.data?.flatMap(({ recent }) => recent.filter(({ outcome }) => outcome === 'published')) ?? []
  const newest = builds.map(({ at }) => at).sort()
  useDidUpdate(() => {
    for (const queryKey of [queryKeys.projects.all, queryKeys.files.all, queryKeys.storage, queryKeys.builds.all]) {
      void cache.invalidateQueries({ queryKey })
    }
  }, [newest.at(-1)])
  return query
}

export type WatchChange = Omit<Parameters<Client['watches']['change']>[0], 'id' | 'watchId'>

/** Pause, resume, retry and stop, each with its failure message. */
export function useWatchActions(projectId: string) {
  const client = useClient()
  const cache = useQueryClient()
  const refresh = () => cache.invalidateQueries({ queryKey: queryKeys.watches(projectId) })
  const failed = (text: string) => (cause: unknown) => notifyError(failureText(cause, { failed: text }))
  const changing = useMutation({
    mutationFn: ({ watchId, ...change }: WatchChange & { watchId: string }) =>
      client.watches.change({ id: projectId, watchId, ...change }),
    onError: failed(hostMessages.watch.changeFailed),
    onSettled: refresh,
  })
  const removal = useMutation({
    mutationFn: (watchId: string) => client.watches.remove({ id: projectId, watchId }),
    onError: failed(hostMessages.watch.removeFailed),
    onSettled: refresh,
  })
  return {
    change: ({ watch_id: watchId }: Watch, change: WatchChange) => changing.mutate({ watchId, ...change }),
    remove: async ({ watch_id, folder }: Watch) => {
      const sure = await confirm({
        title: hostMessages.watch.stop,
        message: hostMessages.watch.confirmStop(folder),
        confirmLabel: hostMessages.watch.stop,
      })
      if (sure) removal.mutate(watch_id)
    },
  }
}
