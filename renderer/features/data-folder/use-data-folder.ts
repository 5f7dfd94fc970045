import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DataFolder, MovePlan } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { chooseFolder } from '../../lib/browser/desktop'
import { failureText } from '../../lib/client/failure'
import { formatSize, formatWhole } from '../../lib/texts/format'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'
import { dataWords } from './data-words'

const LOOK_EVERY_MS = 1000

/** The data folder; polls during a move. */
export function useDataFolder() {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.dataFolder,
    queryFn: async ({ signal }) => (await client.dataFolder.show({}, signal)).data_folder,
    refetchInterval: ({ state }) => (state.data?.move ? LOOK_EVERY_MS : 60_000),
  })
}

export function useDataFolderActions() {
  const client = useClient()
  const cache = useQueryClient()
  const keep = (reply: { data_folder: DataFolder }) => cache.setQueryData(queryKeys.dataFolder, reply.data_folder)
  const again = () => cache.invalidateQueries({ queryKey: queryKeys.dataFolder })
  const moving = useMutation({
    mutationFn: async () => {
      const chosen = await chooseFolder()
      if (!chosen) return
      const { name: folder } = chosen
      const { plan } = await client.dataFolder.plan({ folder })
      if (await confirmMove(plan)) keep(await client.dataFolder.move({ folder }))
    },
    onError: (cause) => notifyError(failureText(cause, { failed: dataWords.moveFailed })),
    onSettled: again,
  })
  const cancelling = useMutation({
    mutationFn: () => client.dataFolder.cancel({}),
    onSuccess: keep,
    onError: (cause) => notifyError(failureText(cause, { failed: dataWords.cancelFailed })),
    onSettled: again,
  })
  const removing = useMutation({
    mutationFn: async (old: string) => {
      const question = { title: 'Delete the old folder', message: dataWords.confirmRemove(old) }
      if (!(await confirm({ ...question, confirmLabel: 'Move to trash', danger: true }))) return
      keep(await client.dataFolder.removeOld({}))
      notifySuccess(dataWords.removed)
    },
    onError: (cause, old) => notifyError(failureText(cause, { failed: dataWords.removeFailed(old) })),
    onSettled: again,
  })
  return { moving, cancelling, removing }
}

const confirmMove = ({ to, files, bytes, shares }: MovePlan) =>
  confirm({
    title: 'Move the data folder',
    message: dataWords.confirmMove(`${formatWhole(files)} files, ${formatSize(bytes)}`, to, shares),
    confirmLabel: 'Move data',
  })
