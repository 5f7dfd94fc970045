import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../lib/client/client-context'
import { chooseFolder } from '../../lib/browser/desktop'
import { failureText } from '../../lib/client/failure'
import { queryKeys } from '../../lib/client/query-keys'
import { forgetError, notifyError } from '../../ui/feedback/notify'
import { dataWords } from './data-words'

const LOOK_EVERY_MS = 1000

/** The backups of this host; polls while one is being made. */
export function useBackups() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.backups,
    queryFn: async ({ signal }) => (await client.backups.show({}, signal)).backups,
    refetchInterval: ({ state }) => (state.data?.running ? LOOK_EVERY_MS : 60_000),
  })
}

export function useBackupActions() {
  const client = useClient()
  const cache = useQueryClient()
  const reporting = (failed: string) => ({
    onMutate: forgetError,
    onError: (cause: Error) => notifyError(failureText(cause, { failed })),
    onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.backups }),
  })
  const choosing = useMutation({
    mutationFn: async () => {
      const chosen = await chooseFolder()
      if (chosen) await client.backups.change({ folder: chosen.name })
    },
    ...reporting(dataWords.chooseFailed),
  })
  const scheduling = useMutation({
    mutationFn: (daily: boolean) => client.backups.change({ daily }),
    ...reporting(dataWords.scheduleFailed),
  })
  const backingUp = useMutation({ mutationFn: () => client.backups.run({}), ...reporting(dataWords.backupFailed) })
  return { choosing, scheduling, backingUp }
}
