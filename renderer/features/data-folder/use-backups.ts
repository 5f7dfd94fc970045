import { useLoad } from '../../lib/client/use-load'
import { chooseFolder, restoreBackup } from '../../lib/browser/desktop'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'
import { forgetError } from '../../ui/feedback/notify'

const LOOK_EVERY_MS = 1000

/** The backups of this host; polls while one is being made. */
export const useBackups = () =>
  useLoad(
    queryKeys.backups,
    async (client, signal) => (await client.backups.show({}, signal)).backups,
    { refetchInterval: ({ state }) => (state.data?.running ? LOOK_EVERY_MS : 60_000) },
  )

/** The last failure was about another try. */
const forgetLast = () => {
  forgetError()
  return undefined
}

export function useBackupActions() {
  const reportFailure = (failed: string) => ({
    show: forgetLast,
    failed,
    refresh: [queryKeys.backups],
  })

  const choosing = useCall(async (client) => {
    const chosen = await chooseFolder()
    if (chosen) await client.backups.change({ folder: chosen.name })
  }, reportFailure('Failed to choose the folder'))

  const scheduling = useCall(
    (client, daily: boolean) => client.backups.change({ daily }),
    reportFailure('Failed to change the backup schedule'),
  )

  const backingUp = useCall(
    (client) => client.backups.run({}),
    reportFailure('Failed to start the backup'),
  )

  const restoring = useCall(() => restoreBackup(), {
    failed: 'Failed to restore the backup',
    refresh: [queryKeys.dataFolder],
  })

  return { choosing, scheduling, backingUp, restoring }
}
