import type { QueryClient } from '@tanstack/react-query'
import type { DataFolder, MovePlan } from '../../../server/contract'
import { useLoad } from '../../lib/client/use-load'
import { chooseFolder } from '../../lib/browser/desktop'
import { useCall } from '../../lib/client/use-call'
import { formatSize, formatWhole } from '../../lib/texts/format'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'

const LOOK_EVERY_MS = 1000

/** The data folder; polls during a move. */
export const useDataFolder = () =>
  useLoad(
    queryKeys.dataFolder,
    async (client, signal) => (await client.dataFolder.show({}, signal)).data_folder,
    { refetchInterval: ({ state }) => (state.data?.move ? LOOK_EVERY_MS : 60_000) },
  )

const keep = (cache: QueryClient, reply: { data_folder: DataFolder } | undefined) =>
  reply && cache.setQueryData(queryKeys.dataFolder, reply.data_folder)

export function useDataFolderActions() {
  const refresh = [queryKeys.dataFolder]
  const moving = useCall(
    async (client) => {
      const folder = (await chooseFolder())?.name
      if (folder === undefined) return undefined
      const { plan } = await client.dataFolder.plan({ folder })
      return (await confirmMove(plan)) ? client.dataFolder.move({ folder }) : undefined
    },
    { after: keep, failed: 'Failed to move the data folder', refresh },
  )

  const cancelling = useCall((client) => client.dataFolder.cancel({}), {
    after: keep,
    failed: 'Failed to cancel the move',
    refresh,
  })

  const removing = useCall((client, _old: string) => client.dataFolder.removeOld({}), {
    ask: (old) =>
      confirm({
        title: 'Delete the old folder',
        message:
          `All data in ${old} moves to the trash of this computer. ` + 'Slipway no longer uses it.',
        confirmLabel: 'Move to trash',
        danger: true,
      }),
    after: keep,
    done: 'The old folder is in the trash',
    failed: (old) => `The old folder could not be moved to the trash. Delete it yourself: ${old}`,
    refresh,
  })

  return { moving, cancelling, removing }
}

const confirmMove = ({ to, files, bytes, shares }: MovePlan) =>
  confirm({
    title: 'Move the data folder',
    message:
      `${formatWhole(files)} files, ${formatSize(bytes)} move to ${to}. ` +
      `${shares ? 'Both folders are on one disk, so little is copied. ' : ''}The host stays ` +
      'online while it copies and checks them, and restarts at the end. The old folder stays ' +
      'until you delete it.',
    confirmLabel: 'Move data',
  })
